/** Messages between an edge and the command that runs it (`apps/supervisor`), during a hot restart. */

/** From the command. */
export type CommandMessage = "drain" | "takeover";

/** The words of commands that were started before they were renamed: an upgrade does not end them. */
const earlierKinds: Readonly<Record<string, CommandMessage>> = {
  leave: "drain",
  alone: "takeover",
};
const earlierRequest = "hand-over";
const earlierFlag = "--beside";

/** Whether this edge is started as the successor of one that runs. */
export function isSuccessor(args: readonly string[]): boolean {
  return args.includes("--successor") || args.includes(earlierFlag);
}

export function commandMessage(message: unknown): CommandMessage | undefined {
  if (typeof message !== "object" || message === null || !("kind" in message)) return undefined;
  const { kind } = message;
  if (kind === "drain" || kind === "takeover") return kind;
  return typeof kind === "string" ? earlierKinds[kind] : undefined;
}

/** This edge has become a predecessor and asks for its successor; a command understands one of them. */
export const successorRequests = [{ kind: "predecessor" }, { kind: earlierRequest }] as const;
