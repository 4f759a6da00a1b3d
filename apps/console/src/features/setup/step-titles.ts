import { useLingui } from "@lingui/react/macro";
import type { StepName } from "./steps.ts";

export function useStepTitles(): Record<StepName, string> {
  const { t } = useLingui();
  return {
    plan: t`Choose plan`,
    name: t`Enter server name`,
    backend: t`Add server IP`,
    location: t`Choose protection location`,
    domain: t`Domain settings`,
    confirm: t`Confirmation`,
  };
}
