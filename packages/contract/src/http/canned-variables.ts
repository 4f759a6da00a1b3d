export const cannedVariables = ["customer", "ticket", "server", "staff"] as const;
export type CannedVariable = (typeof cannedVariables)[number];

/**
 * Fills a canned reply. A variable without a value stays as it is, so that the writer sees what is
 * missing before it is sent.
 */
export function fillCannedReply(
  text: string,
  values: Readonly<Partial<Record<CannedVariable, string>>>,
): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = cannedVariables.find((each) => each === name);
    return (variable === undefined ? undefined : values[variable]) ?? whole;
  });
}
