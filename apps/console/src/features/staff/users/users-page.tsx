import type { StaffPageProps } from "../parts/staff-page-props.ts";
import { UserListPage } from "./user-list-page.tsx";
import { UserPage } from "./user-page.tsx";

export function UsersPage({ id }: StaffPageProps) {
  return id === undefined ? <UserListPage /> : <UserPage userId={id} />;
}
