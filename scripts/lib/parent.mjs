const POLL_MS = 250;

/**
 * Ends the child when npm, the parent, has ended: npm passes signals on, but a killed npm cannot, and the
 * next start would find the ports in use. Without npm (a service, nohup) the script outlives its parent.
 */
export function followParent(child) {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, POLL_MS);
  timer.unref();
}
