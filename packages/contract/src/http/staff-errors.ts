/** The errors that every call of the staff area may answer; changes may answer one more. */
export const staffReadErrors = ["unauthenticated", "forbidden", "two_factor_required"] as const;
export const staffChangeErrors = [...staffReadErrors, "step_up_required"] as const;
