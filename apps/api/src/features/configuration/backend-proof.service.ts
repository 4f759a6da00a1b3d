export { countsFor, isProven } from "./backend-proof.policy.ts";
