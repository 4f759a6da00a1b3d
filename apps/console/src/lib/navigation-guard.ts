type NavigationGuard = () => Promise<boolean>;
let guard: NavigationGuard | null = null;

/** Registers the question about unsaved entries; the returned function removes it. */
export function registerNavigationGuard(ask: NavigationGuard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** Asks the guard before the page is left without the router, for example by logging out. */
export async function mayNavigate(): Promise<boolean> {
  return guard === null || guard();
}
