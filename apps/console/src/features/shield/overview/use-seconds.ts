import { useInterval } from "@mantine/hooks";
import { useState } from "react";

/** The present, renewed every second: for what is going on right now. */
export function useSeconds(): Date {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 1_000, { autoInvoke: true });
  return now;
}
