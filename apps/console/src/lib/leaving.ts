type Question = () => Promise<boolean>;
let question: Question | null = null;

/** Registers how to ask about what is typed but not saved; the answer takes that back. */
export function askBeforeLeaving(ask: Question): () => void {
  question = ask;
  return () => {
    if (question === ask) question = null;
  };
}

/** Whether the page may be left by other ways than its address, which the router watches. */
export async function mayLeave(): Promise<boolean> {
  return question === null || question();
}
