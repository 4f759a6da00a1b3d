import { useLingui } from "@lingui/react/macro";

/** Props of the button that shows the password: reachable by keyboard, with a name. */
export function useVisibilityLabel() {
  const { t } = useLingui();
  return { "aria-label": t`Show or hide password`, tabIndex: 0, "aria-hidden": false };
}
