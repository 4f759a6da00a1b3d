import { create } from "zustand";

/** The time that the pointer or the keyboard has chosen: all charts of the page show its values. */
export const useCursor = create<{
  /** Index of the time; null while none is chosen. */
  readonly index: number | null;
  readonly choose: (index: number | null) => void;
}>()((set) => ({
  index: null,
  choose: (index) => set((now) => (now.index === index ? now : { ...now, index })),
}));
