export interface Command {
  readonly id: string;
  readonly label: string;
  /** Further words that find the command, such as a shield's address. */
  readonly keywords: string;
  /** Shown beside the label, to tell commands with similar names apart. */
  readonly hint?: string;
  /** Hidden until something is typed, because there are many like it. */
  readonly onlyTyped?: boolean;
  readonly run: () => void;
}

/**
 * Finds commands that contain every typed word. Labels that begin with the first word come first,
 * then labels that contain it, then the rest. Equal ranks keep the given order.
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
