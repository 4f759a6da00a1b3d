/** Any of these stands for "a shield of mine": samples and examples speak of one story. */
export const exampleIds = {
  shield: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
  plan: "0199a3f2-7c10-7000-8000-5f1a2b3c4d02",
  entry: "0199a3f2-7c10-7000-8000-5f1a2b3c4d03",
  user: "0199a3f2-7c10-7000-8000-5f1a2b3c4d04",
  other: "0199a3f2-7c10-7000-8000-5f1a2b3c4d05",
} as const;

export const later = "2026-12-01T00:00:00.000Z";
