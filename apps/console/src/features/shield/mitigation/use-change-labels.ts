import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";

/** The words behind the number of logins, by the outcome under the saved settings and under the changes. */
export function useChangeLabels(count: number): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    "admitted refused": t`${plural(count, { other: "would have been refused" })}`,
    "verify refused": t`${plural(count, { other: "would have been refused instead of checked" })}`,
    "admitted verify": t`${plural(count, { other: "would have had to pass a check first" })}`,
    "refused verify": t`${plural(count, { other: "would have been checked instead of refused" })}`,
    "verify admitted": t`${plural(count, { other: "would have joined without a check" })}`,
    "refused admitted": t`${plural(count, { other: "would have been let in" })}`,
  };
}
