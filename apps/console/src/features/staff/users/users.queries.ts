import {
  getUser,
  listOrders,
  listUserAudit,
  listUserLedger,
  listUserRecord,
  listUsers,
} from "@palisade/contract/http/staff-users";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { UserListSearch } from "./user-search.ts";

const rowsPerPage = 20;

export function usersQuery({ page, q, state }: UserListSearch) {
  const query = { page, q, state, per_page: rowsPerPage };
  return queryOptions({
    queryKey: ["staff", "users", query],
    queryFn: async ({ signal }) => (await call(listUsers, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function userQuery(userId: string) {
  return queryOptions({
    queryKey: ["staff", "user", userId],
    queryFn: async ({ signal }) => (await call(getUser, { params: { userId }, signal })).data.user,
  });
}

export const ordersQuery = queryOptions({
  queryKey: ["staff", "orders"],
  queryFn: async ({ signal }) => (await call(listOrders, { signal })).data.orders,
});

export function ledgerQuery(userId: string, page: number | undefined) {
  return queryOptions({
    queryKey: ["staff", "user", userId, "ledger", page],
    queryFn: async ({ signal }) =>
      (await call(listUserLedger, { ...pageOf(userId, page), signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function auditQuery(userId: string, page: number | undefined) {
  return queryOptions({
    queryKey: ["staff", "user", userId, "audit", page],
    queryFn: async ({ signal }) =>
      (await call(listUserAudit, { ...pageOf(userId, page), signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function recordQuery(userId: string, page: number | undefined) {
  return queryOptions({
    queryKey: ["staff", "user", userId, "record", page],
    queryFn: async ({ signal }) =>
      (await call(listUserRecord, { ...pageOf(userId, page), signal })).data,
    placeholderData: keepPreviousData,
  });
}

function pageOf(userId: string, page: number | undefined) {
  return { params: { userId }, query: { page, per_page: rowsPerPage } };
}
