import { oneOf, searchOf, text, wholeNumber } from "#src/lib/search-params.ts";

const states = { active: true, unconfirmed: true, blocked: true, deleted: true };

/** The search parameters of the list of accounts. */
export const userListSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  q: text(100),
  state: oneOf(states),
});

export type UserListSearch = ReturnType<typeof userListSearch>;

const tabs = { overview: true, money: true, audit: true, record: true };
export type UserTab = keyof typeof tabs;

/** The search parameters of an account's page. */
export const userSearch = searchOf({ tab: oneOf(tabs), page: wholeNumber(1, 1_000_000) });
