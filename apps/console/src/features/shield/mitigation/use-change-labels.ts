import { useLingui } from "@lingui/react/macro";

/** By the outcome under the saved settings and the one under the changes. */
export function useChangeLabels(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    "admitted refused": t`would have been refused`,
    "verify refused": t`would have been refused instead of checked`,
    "admitted verify": t`would have had to pass a check first`,
    "refused verify": t`would have been checked instead of refused`,
    "verify admitted": t`would have joined without a check`,
    "refused admitted": t`would have been let in`,
  };
}
