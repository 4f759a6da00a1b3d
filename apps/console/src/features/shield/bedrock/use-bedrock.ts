import { useLingui } from "@lingui/react/macro";
import { bedrockRoutes, type Bedrock } from "@palisade/contract/http/bedrock";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { ifMatch, type Versioned } from "../shield.queries.ts";
import { bedrockQuery } from "./bedrock.queries.ts";

interface Answer {
  readonly data: {
    readonly message: string;
    readonly revision: number;
    readonly bedrock: Bedrock;
  };
  readonly headers: Headers;
}

/** The switch and the ports. Each change ends in a receipt. */
export function useBedrock(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const query = bedrockQuery(shieldId);
  const params = { id: shieldId };

  function done({ data, headers }: Answer) {
    const now: Versioned<Bedrock> = { value: data.bedrock, etag: headers.get("etag") };
    queryClient.setQueryData(query.queryKey, now);
    onChange({ label: data.message, revision: data.revision });
  }

  function failed(error: unknown, fallback: string) {
    toast("error", errorText(error, fallback));
    void queryClient.invalidateQueries({ queryKey: query.queryKey });
  }

  const toggle = useMutation({
    mutationFn: async (enabled: boolean) => {
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      const etag = queryClient.getQueryData(query.queryKey)?.etag ?? null;
      const body = { bedrock_enabled: enabled };
      return call(bedrockRoutes.updateBedrock, { params, body, headers: ifMatch(etag) });
    },
    onSuccess: done,
    onError: (error) => failed(error, t`Error updating Bedrock/Geyser setting`),
  });

  const addRandom = useMutation({
    mutationFn: () => call(bedrockRoutes.addRandomPort, { params }),
    onSuccess: done,
    onError: (error) => failed(error, t`Error adding random port`),
  });

  const addDefault = useMutation({
    mutationFn: () => call(bedrockRoutes.addDefaultPort, { params }),
    onSuccess: done,
    onError: (error) => failed(error, t`Error adding default port`),
  });

  const remove = useMutation({
    mutationFn: (portId: string) =>
      call(bedrockRoutes.removePort, { params: { ...params, portId } }),
    onSuccess: done,
    onError: (error) => failed(error, t`Error deleting port`),
  });

  return { toggle, addRandom, addDefault, remove };
}

export type BedrockChanges = ReturnType<typeof useBedrock>;
