/**
 * For so long nothing is told of an attack that has ended, so that it can go on: by another edge
 * whose report comes later, as after an outage of the control plane (edges try again at least
 * every 30 s); by the same edge once it has started again; by an attacker who takes a breath.
 */
export const restSeconds = 45;
