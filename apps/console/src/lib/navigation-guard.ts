type NavigationGuard = () => Promise<boolean>;
let guard: NavigationGuard | null = null;

/** Registers how to ask about what is typed but not saved; the answer takes that back. */
export function registerNavigationGuard(ask: NavigationGuard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** Whether the page may be left by other ways than its address, which the router watches. */
export async function mayNavigate(): Promise<boolean> {
  return guard === null || guard();
}
