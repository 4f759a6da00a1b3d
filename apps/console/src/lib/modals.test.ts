import { expect, test } from "vitest";
import { closeModal, openModal, useModal } from "./modals.ts";

test("a modal opens with its payload, and closing forgets both", () => {
  openModal("recharge balance", { amount: 9 });
  expect(useModal.getState()).toEqual({
    openModalName: "recharge balance",
    modalPayload: { amount: 9 },
  });
  closeModal();
  expect(useModal.getState()).toEqual({ openModalName: null, modalPayload: null });
});

test("a modal opened without payload does not keep the previous payload", () => {
  openModal("recharge balance", { amount: 9 });
  openModal("add payment method");
  expect(useModal.getState()).toEqual({
    openModalName: "add payment method",
    modalPayload: null,
  });
});
