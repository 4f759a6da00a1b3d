const POLL_MS = 250;

/**
 * Ends the child when npm, which started us, is gone: npm passes signals on, but a killed npm
 * cannot, and its successor would find the ports taken. Started without npm (a service, nohup) we
 * outlive whoever started us.
 */
export function followParent(child) {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, POLL_MS);
  timer.unref();
}
