import { useLingui } from "@lingui/react/macro";
import { updateProfile, type Profile } from "@palisade/contract/http/account";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import { profileQuery } from "../profile.queries.ts";
import { bodyOf, type ProfileValues } from "./profile-values.ts";

interface Handlers {
  readonly onSaved: (sent: ProfileValues, now: Profile) => void;
  readonly placeIssues: (issues: Record<string, string>) => boolean;
}

export function useSaveProfile({ onSaved, placeIssues }: Handlers) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (values: ProfileValues) => call(updateProfile, { body: bodyOf(values) }),
    onSuccess: async ({ data }, sent) => {
      // A read that began before the save would bring back what it has replaced.
      await queryClient.cancelQueries({ queryKey: profileQuery.queryKey, exact: true });
      queryClient.setQueryData(profileQuery.queryKey, data.profile);
      toast("success", data.message);
      onSaved(sent, data.profile);
    },
    onError: (error) => {
      const text = errorText(error, t`Failed to update profile`);
      const issues = hasCode(error, "username_taken") ? { username: text } : fieldIssues(error);
      if (!placeIssues(issues)) toast("error", text);
    },
  });
}
