import { useLingui } from "@lingui/react/macro";
import {
  mitigationRanges,
  type Mitigation,
  type MitigationLimit,
} from "@palisade/contract/http/mitigation";
import type { RefObject } from "react";
import type { Change } from "../receipt.tsx";
import { useSharedForm } from "../shared-form/use-shared-form.ts";
import type { Versioned } from "../shield.queries.ts";
import { mitigationQuery, saveMitigation } from "./mitigation.queries.ts";
import { settingsOf, settingsSchema, type ToggleName } from "./settings.ts";
import type { Versions } from "./version-range.ts";

export type MitigationForm = ReturnType<typeof useMitigationForm>;

interface MitigationFormOptions {
  readonly shieldId: string;
  readonly fallback: Versioned<Mitigation>;
  readonly versions: Versions;
  readonly readOnly: boolean;
  readonly place: RefObject<HTMLFormElement | null>;
  readonly reveal: (names: readonly string[]) => void;
  readonly onChange: (change: Change) => void;
}

/** The settings of all tabs in one form. */
export function useMitigationForm({ shieldId, versions, ...options }: MitigationFormOptions) {
  const { t } = useLingui();
  const typedOf = (stored: Mitigation) => settingsOf(stored, versions);
  const shared = useSharedForm({
    ...options,
    query: mitigationQuery(shieldId),
    schema: settingsSchema,
    typedOf,
    save: (changed, etag) => saveMitigation(shieldId, changed, etag),
    texts: {
      saved: t`Mitigation settings updated`,
      failed: t`Failed to update mitigation settings`,
    },
  });
  const { form, read } = shared;

  /** Props of a switch. */
  function toggle(name: ToggleName) {
    return {
      name,
      checked: form.values[name],
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) => {
        form.setFieldValue(name, currentTarget.checked);
        const limit = name.replace(/_enabled$/, "");
        if (!currentTarget.checked && isLimit(limit)) resetInvalid(limit);
      },
    };
  }

  /** A disabled limit cannot be corrected, so an invalid value must not block Save. */
  function resetInvalid(name: MitigationLimit) {
    const { min, max } = mitigationRanges[name];
    const value = form.values[name];
    const isRight = typeof value === "number" && value >= min && value <= max;
    if (!isRight) form.setFieldValue(name, read.value[name]);
    form.clearFieldError(name);
  }

  /** As the button Save does, conflicts included. */
  const saveNow = () => options.place.current?.requestSubmit();

  return { ...shared, toggle, saveNow };
}

function isLimit(name: string): name is MitigationLimit {
  return Object.hasOwn(mitigationRanges, name);
}
