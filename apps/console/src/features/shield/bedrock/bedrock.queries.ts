import { bedrockRoutes, type Bedrock } from "@palisade/contract/http/bedrock";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Versioned } from "../shield.queries.ts";

export function bedrockQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "bedrock"],
    queryFn: async ({ signal }): Promise<Versioned<Bedrock>> => {
      const answer = await call(bedrockRoutes.getBedrock, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}
