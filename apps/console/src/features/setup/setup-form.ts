import type { useContractForm } from "#src/lib/form.ts";
import type { SetupValues } from "./draft.ts";

export type SetupForm = ReturnType<typeof useContractForm<SetupValues>>;
