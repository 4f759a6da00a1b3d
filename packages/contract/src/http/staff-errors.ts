/** What every call of the staff area may answer, and what its changes may answer beside that. */
export const staffReadErrors = ["unauthenticated", "forbidden", "two_factor_required"] as const;
export const staffChangeErrors = [...staffReadErrors, "step_up_required"] as const;
