import { useLingui } from "@lingui/react/macro";
import type { AntibotLevel } from "@palisade/contract/edge/plain-values";

export function useLevelLabels(): Record<AntibotLevel, string> {
  const { t } = useLingui();
  return {
    disabled: t`Disabled`,
    low: t`Low`,
    medium: t`Medium`,
    high: t`High`,
    extreme: t`Extreme`,
  };
}
