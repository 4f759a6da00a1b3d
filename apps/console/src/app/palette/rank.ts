export interface Command {
  readonly id: string;
  readonly label: string;
  /** Words that find it as well, such as a shield's address. */
  readonly keywords: string;
  /** Beside the label, so that commands of like names can be told apart. */
  readonly hint?: string;
  /** One of many: found by typing, and not in the way of whoever only looks. */
  readonly onlyTyped?: boolean;
  readonly run: () => void;
}

/**
 * Commands every typed word occurs in. Labels that begin with the first word come first, then
 * labels that hold it, then the rest; within each the given order stays.
 */
export function rankCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return commands.filter(({ onlyTyped }) => onlyTyped !== true);
  const score = ({ label }: Command) => {
    const at = label.toLowerCase().indexOf(first);
    if (at === 0) return 0;
    return at > 0 ? 1 : 2;
  };
  return commands
    .filter(({ label, keywords }) => {
      const text = `${label} ${keywords}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => score(a) - score(b));
}
