import type { Selectable } from "kysely";
import type { UsersTable } from "#src/schema/accounts.ts";

export type UserRow = Selectable<UsersTable>;
