/** The same for services and trigger types. */
import { isolate } from "../../isolate.ts";

export const token = { title: "الرمز المميّز", description: `يُرسل بالصيغة ${isolate("Authorization: Bearer TOKEN")}.` };
