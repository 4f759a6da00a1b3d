/** Updates of a maintenance that publish themselves. */
export const maintenanceTexts = {
  reminder: {
    en: "The maintenance begins within the next hour, as planned.",
    ru: "Обслуживание начнётся в течение часа, как запланировано.",
  },
  begun: {
    en: "The maintenance has begun, as planned.",
    ru: "Обслуживание началось, как запланировано.",
  },
  completed: {
    en: "The planned time of the maintenance is over, and it is complete.",
    ru: "Запланированное время истекло, обслуживание завершено.",
  },
} as const;
