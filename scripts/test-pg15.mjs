import { checkPlatform, node24 } from "./lib/node.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { ensurePostgres15, startCluster } from "./lib/postgres-15.mjs";
import { runScript, say } from "./lib/progress.mjs";
import { runVitest } from "./lib/vitest.mjs";

/** `npm run test:pg15`: runs the api's tests against PostgreSQL 15, the oldest supported version. */
await runScript(async () => {
  checkPlatform();
  await ensureDependencies({ dev: true });
  const node = await node24();
  const cluster = await startCluster(await ensurePostgres15());
  say(`running the API tests against ${cluster.version}`);
  try {
    return await runVitest(node, ["--project=api", ...process.argv.slice(2)], {
      DATABASE_URL: cluster.adminUrl,
    });
  } finally {
    await cluster.stop();
  }
});
