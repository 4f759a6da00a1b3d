import {
  createConsolePages,
  type ConsolePages,
  type OpenOptions,
  type PageOptions,
} from "@palisade/system-tests/console/pages";
import { launchBrowser } from "@palisade/system-tests/console/browser";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import { startConsoleServer } from "./console-server.ts";
import { createAccountState, type AccountState } from "./stub-api/account-state.ts";
import { handleAccountRoutes } from "./stub-api/handlers.ts";
import { accessToken, StubApi } from "./stub-api/stub-api.ts";
import { StubLiveChannel } from "./stub-api/stub-live-channel.ts";

export interface ConsoleFixture {
  readonly api: StubApi;
  /** The account's shields, lists and money; each test begins with a new one and may change it. */
  readonly state: AccountState;
  /** The live channel of every page. */
  readonly live: StubLiveChannel;
  /** A page of the account's owner that has not gone anywhere yet. */
  page(options?: VisitOptions): Promise<Page>;
  /** That page, once this path has loaded. */
  open(path: string, options?: VisitOptions & OpenOptions): Promise<Page>;
}

interface VisitOptions extends PageOptions {
  /** Not signed in. */
  readonly isStranger?: boolean;
}

interface Shared {
  readonly api: StubApi;
  readonly pages: ConsolePages;
  readonly live: StubLiveChannel;
  state: AccountState;
}

let shared: Promise<Shared> | undefined;

/** One browser and one server for all files of a worker; both end with its process. */
async function start(): Promise<Shared> {
  const api = new StubApi();
  const [browser, server] = await Promise.all([launchBrowser(), startConsoleServer(api)]);
  const started = {
    api,
    pages: createConsolePages(browser, server.url),
    live: new StubLiveChannel(),
    state: createAccountState(),
  };
  handleAccountRoutes(api, () => started.state);
  return started;
}

/**
 * The console against the stub api, for the tests of one file. A test fails when a page called
 * what the contract does not know, or got an answer that breaks it.
 */
export function useConsole(): ConsoleFixture {
  let current: Shared | undefined;
  const get = (): Shared => {
    if (current === undefined) throw new Error("The console is used before its tests begin");
    return current;
  };
  beforeAll(async () => {
    current = await (shared ??= start());
  });
  afterEach(async () => {
    const { api, pages, live } = get();
    const violations = [...api.violations, ...live.violations];
    api.reset();
    live.reset();
    await pages.end();
    api.reset();
    get().state = createAccountState();
    expect(violations).toEqual([]);
  });
  const signedIn = ({ isStranger = false, ...options }: VisitOptions & OpenOptions) =>
    isStranger ? options : { token: accessToken, ...options };
  return {
    get api() {
      return get().api;
    },
    get state() {
      return get().state;
    },
    get live() {
      return get().live;
    },
    async page(options = {}) {
      const page = await get().pages.page(signedIn(options));
      await get().live.serve(page);
      return page;
    },
    open: (path, { prepare, ...options } = {}) =>
      get().pages.open(path, {
        ...signedIn(options),
        async prepare(page) {
          await get().live.serve(page);
          await prepare?.(page);
        },
      }),
  };
}
