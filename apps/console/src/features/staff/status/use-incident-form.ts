import { incidentText, incidentTitle } from "@palisade/contract/http/staff-status";
import { useState } from "react";
import { z } from "zod";
import { useContractForm } from "#src/lib/use-contract-form.ts";

const title = { title_en: incidentTitle, title_ru: incidentTitle };
const text = { text_en: incidentText, text_ru: incidentText };
/** As a field of the type datetime-local holds them, in UTC. */
const times = { starts_at: z.string().min(1, "required"), ends_at: z.string().min(1, "required") };

interface Parts {
  readonly withText: boolean;
  readonly withTimes: boolean;
}

function schemaOf({ withText, withTimes }: Parts) {
  const shape: Record<string, z.ZodType> = {
    ...title,
    ...(withText ? text : {}),
    ...(withTimes ? times : {}),
  };
  return z.object(shape).refine(isInOrder, { path: ["ends_at"], error: "to.after_from" });
}

/** Times of this form compare as texts do. */
function isInOrder({ starts_at, ends_at }: Readonly<Record<string, unknown>>): boolean {
  if (typeof starts_at !== "string" || typeof ends_at !== "string") return true;
  return starts_at === "" || ends_at === "" || ends_at > starts_at;
}

export const noTexts = {
  title_en: "",
  title_ru: "",
  text_en: "",
  text_ru: "",
  starts_at: "",
  ends_at: "",
};

/** The fields of an incident that are typed, and whether all are right. */
export function useIncidentForm(initial: typeof noTexts, parts: Parts) {
  const { form, field } = useContractForm(schemaOf(parts), initial);
  return { values: form.values, field, isReady: () => !form.validate().hasErrors };
}

/** The locations that an incident affects, and whether it affects the console. */
export function useAffected(initial: { locations: readonly string[]; affects_console: boolean }) {
  const [locations, setLocations] = useState(initial.locations);
  const [affectsConsole, setAffectsConsole] = useState(initial.affects_console);
  return {
    values: { locations: [...locations], affects_console: affectsConsole },
    has: (location: string) => locations.includes(location),
    toggle(location: string) {
      setLocations((before) =>
        before.includes(location)
          ? before.filter((each) => each !== location)
          : [...before, location],
      );
    },
    setAffectsConsole,
  };
}

/** `2026-11-28T02:00`, as fields hold it, of a time in UTC. */
export function toField(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16);
}

export function fromField(value: string): string {
  return `${value}:00.000Z`;
}
