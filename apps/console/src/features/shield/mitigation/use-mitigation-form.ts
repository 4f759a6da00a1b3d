import type { MitigationLimit, MitigationSettings } from "@palisade/contract/http/mitigation";
import { mitigationRanges } from "@palisade/contract/http/mitigation";
import { useContractForm } from "#src/lib/form.ts";
import { settingsOf, typedSchema, type ToggleName } from "./settings.ts";
import type { Versions } from "./version-range.ts";

export type MitigationForm = ReturnType<typeof useMitigationForm>;

/** The settings of all tabs in one form. */
export function useMitigationForm(
  stored: MitigationSettings,
  versions: Versions,
  readOnly: boolean,
) {
  const contractForm = useContractForm(typedSchema, settingsOf(stored, versions));
  const { form } = contractForm;

  /** Props of a switch. */
  function toggle(name: ToggleName) {
    return {
      name,
      checked: form.values[name],
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) => {
        form.setFieldValue(name, currentTarget.checked);
        const limit = name.replace(/_enabled$/, "");
        if (!currentTarget.checked && isLimit(limit)) mend(limit);
      },
    };
  }

  /** What is off cannot be corrected any more, and must not keep the rest from being saved. */
  function mend(name: MitigationLimit) {
    const { min, max, fallback } = mitigationRanges[name];
    const value = form.values[name];
    const isRight = typeof value === "number" && value >= min && value <= max;
    if (!isRight) form.setFieldValue(name, fallback);
    form.clearFieldError(name);
  }

  return { ...contractForm, readOnly, toggle };
}

function isLimit(name: string): name is MitigationLimit {
  return Object.hasOwn(mitigationRanges, name);
}
