import { CallError } from "@palisade/contract/http/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { hasCode } from "#src/api/errors.ts";
import { doctorQuery } from "./doctor.queries.ts";

/** The report, and how long to wait after too many checks. */
export function useDoctor(shieldId: string) {
  const query = useQuery(doctorQuery(shieldId));
  const { error, errorUpdatedAt } = query;
  const isLimited = hasCode(error, "rate_limited");
  const wait = error instanceof CallError ? (error.retryAfterSeconds ?? 0) : 0;
  const secondsLeft = useSecondsLeft(errorUpdatedAt, isLimited ? wait : 0);
  return { ...query, isLimited, secondsLeft };
}

/** Counts down `seconds`, which began at `from`, to 0. */
function useSecondsLeft(from: number, seconds: number): number {
  const [now, setNow] = useState(0);
  const until = from + seconds * 1000;
  useEffect(() => {
    if (until <= Date.now()) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (until <= Date.now()) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until - Math.max(now, from)) / 1000));
}
