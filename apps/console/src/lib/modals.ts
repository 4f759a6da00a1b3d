import { create } from "zustand";

/** Every named modal with what it may be given. */
export interface ModalPayloads {
  /** The initial amount in whole euros: the missing sum, or the one tried before. */
  "recharge balance": { readonly amount?: number };
  "add payment method": Record<string, never>;
}
type ModalName = keyof ModalPayloads;

type Closed = { readonly openModalName: null; readonly modalPayload: null };
type Open = {
  [N in ModalName]: { readonly openModalName: N; readonly modalPayload: ModalPayloads[N] | null };
}[ModalName];
const closed: Closed = { openModalName: null, modalPayload: null };

/** The one open modal; `app/modals` shows it, so that features need not know each other. */
export const useModal = create<Open | Closed>()(() => closed);

/**
 * Opens a modal from anywhere in the dashboard area.
 *
 * @example
 * openModal("recharge balance", { amount: 9 });
 */
export function openModal<N extends ModalName>(name: N, payload?: ModalPayloads[N]): void {
  // Name and payload belong together by the signature; the compiler loses that for a generic one.
  useModal.setState({ openModalName: name, modalPayload: payload ?? null } as Open);
}

/** Closing forgets both name and payload. */
export function closeModal(): void {
  useModal.setState(closed);
}
