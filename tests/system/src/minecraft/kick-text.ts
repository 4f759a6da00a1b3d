/** Eight characters of Crockford's alphabet, on a line of their own. */
const traceLine = /\n(?:§8)?([0-9A-HJKMNP-TV-Z]{8})$/;

/** The code a kick ends with, where its owner has not placed it elsewhere. @throws without one */
export function traceCodeIn(text: string): string {
  const trace = traceLine.exec(text)?.[1];
  if (trace === undefined) throw new Error(`No trace code in: ${text}`);
  return trace;
}

/** The owner's text without the trace code. @throws where there is no code */
export function textWithoutTrace(text: string): string {
  traceCodeIn(text);
  return text.replace(traceLine, "");
}
