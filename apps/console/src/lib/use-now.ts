import { useInterval } from "@mantine/hooks";
import { useState } from "react";

/** The current time, updated every half minute, for texts such as '3 minutes ago'. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 30_000, { autoInvoke: true });
  return now;
}
