import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const every = (count: number, one: string, other: string) =>
  count === 1 ? `Cada ${one}` : `Cada ${plural("es", count, { one, other })}`;

export const schedules: Messages["schedules"] = {
  title: "Programaciones",
  empty: "No hay programaciones.",
  emptyText:
    "Una programación ejecuta un flujo de trabajo en un momento dado, a intervalos o según una expresión cron.",
  create: "Nueva programación",
  workflow: "Flujo de trabajo",
  named: (workflow, when) => `${workflow}: ${when}`,
  timing: "Cuándo",
  kinds: { cron: "Expresión cron", every: "Intervalo", at: "Una vez" },
  cron: "Expresión cron",
  cronHint: "Minuto, hora, día, mes, día de la semana: 0 9 * * mon-fri se ejecuta de lunes a viernes a las nueve.",
  cronProblems: {
    fields: {
      second: "Segundo",
      minute: "Minuto",
      hour: "Hora",
      day: "Día",
      month: "Mes",
      weekday: "Día de la semana",
    },
    count: (given) =>
      `Escriba cinco campos separados por espacios: minuto, hora, día, mes, día de la semana. Campos ahora: ${given}.`,
    value: (value, field, first, last) => `${field}: «${value}» no es válido. Use un valor de ${first} a ${last}.`,
  },
  timezone: "Zona horaria",
  every: "Intervalo entre ejecuciones",
  unit: "Unidad",
  units: { seconds: "segundos", minutes: "minutos", hours: "horas", days: "días" },
  everyInterval: {
    seconds: (count) => every(count, "segundo", "segundos"),
    minutes: (count) => every(count, "minuto", "minutos"),
    hours: (count) => every(count, "hora", "horas"),
    days: (count) => every(count, "día", "días"),
  },
  runNow: "Ejecutar ahora",
  at: "Fecha y hora",
  input: "Entrada",
  inputHint: "Lo que recibe cada ejecución. Los campos vacíos toman sus valores predeterminados.",
  missed: "Ejecuciones perdidas",
  missedHint: "Qué hacer con las ejecuciones previstas mientras el servidor estaba detenido.",
  policies: {
    skip: "Omitirlas",
    once: "Una sola ejecución por todas",
    all: "Ejecutar cada una",
  },
  version: "Versión",
  latest: "La más reciente en el momento de la ejecución",
  next: "Próxima ejecución",
  upcoming: "Próximas ejecuciones",
  upcomingIn: (zone) => `Próximas ejecuciones (${zone})`,
  noNext: "ninguna",
  last: "Último resultado",
  paused: "En pausa",
  pause: "Pausar",
  resume: "Reactivar",
  started: "Inició una ejecución",
};
