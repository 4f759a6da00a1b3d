import { z } from "zod";
import { defaultLimits, route } from "./route.ts";

export const minecraftRelease = z
  .object({
    version: z.string().describe("As the game names it, e.g. `1.21.8`"),
    protocol: z.int().describe("Several versions may share one; newer ones may have a lower one"),
  })
  .meta({ id: "MinecraftRelease" });

export const listMinecraftVersions = route({
  id: "minecraft.versions",
  method: "GET",
  path: "/minecraft/versions",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "List Minecraft versions",
  success: 200,
  response: z.object({
    releases: z.array(minecraftRelease).describe("Oldest first"),
    versions: z.array(z.string()).describe("Their names, in the same order"),
  }),
  errors: [],
  limits: defaultLimits.anonymous,
});

export const minecraftRoutes = { versions: listMinecraftVersions };
