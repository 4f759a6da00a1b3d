import { QueryClient } from "@tanstack/react-query";
import { isTransient } from "./errors.ts";
import { recoverQueries } from "./recover-queries.ts";
import { onSessionEnd } from "./session.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 400 * 2 ** failures,
    },
    // Offline they fail at once: sending them later would surprise the user.
    mutations: { retry: false, networkMode: "always" },
  },
});

recoverQueries(queryClient);
onSessionEnd(() => queryClient.clear());
