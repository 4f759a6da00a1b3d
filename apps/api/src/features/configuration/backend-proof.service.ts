export { isProven } from "./backend-proof.policy.ts";
