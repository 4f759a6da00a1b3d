import { useLingui } from "@lingui/react/macro";

/** Show password: reachable by keyboard, and named for who does not see the eye. */
export function useVisibilityLabel() {
  const { t } = useLingui();
  return { "aria-label": t`Show or hide password`, tabIndex: 0, "aria-hidden": false };
}
