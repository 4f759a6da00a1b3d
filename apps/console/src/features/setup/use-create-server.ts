import { useLingui } from "@lingui/react/macro";
import { routes } from "@palisade/contract/http/routes";
import type { CreateServerBody } from "@palisade/contract/http/servers";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import { setupDraft } from "./draft.ts";
import { cnameQuery } from "./setup.queries.ts";

const redirectDelayMs = 1000;

export function useCreateServer(placeIssues: (issues: Record<string, string>) => boolean) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const keys = useRef(createIdempotencyKeys());

  return useMutation({
    mutationFn: (body: CreateServerBody) =>
      call(routes.servers.createServer, {
        body,
        headers: { "idempotency-key": keys.current.begin(body) },
      }),
    onSuccess: ({ data }) => {
      keys.current.settle();
      setupDraft.clear();
      queryClient.removeQueries({ queryKey: cnameQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ["servers"] });
      void queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      toast("success", data.message);
      setTimeout(() => {
        void navigate({ to: "/dashboard" });
      }, redirectDelayMs);
    },
    onError: (error) => {
      if (!isTransient(error)) keys.current.settle();
      const issues = fieldIssues(error);
      if ("cname_record" in issues) {
        // The reservation is gone: a new one is the way on, the rest stays as typed.
        void queryClient.resetQueries({ queryKey: cnameQuery.queryKey });
      }
      if (!placeIssues(issues)) toast("error", errorText(error, t`Error creating GameShield`));
    },
  });
}
