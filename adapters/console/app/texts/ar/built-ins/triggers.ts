import type { BuiltInTexts } from "../../built-in-texts.ts";
import { isolate } from "../../isolate.ts";
import { token } from "./token.ts";

/** Of the types whose events can have any form. */
const filterPaths = {
  milestone_path: {
    title: "المسار إلى المرحلة",
    description: "أين يذكر الحدث ما تم بلوغه. يلزم فقط لمعالجة أحداث مراحل معينة.",
  },
  folder_path: {
    title: "المسار إلى المجلد",
    description: "أين يذكر الحدث المجلد الذي ينتمي إليه. يلزم فقط لمعالجة أحداث مجلدات معينة.",
  },
};

export const triggerTypes: BuiltInTexts["triggerTypes"] = {
  loan_origination: {
    title: "منح القروض",
    connection: {
      url: { title: "عنوان URL", description: "عنوان URL الذي يسرد تغييرات القروض." },
      token,
    },
  },
  poll: {
    title: "الاستعلام من عنوان URL",
    config: {
      url: { title: "عنوان URL", description: "عنوان URL للقائمة." },
      items_path: {
        title: "المسار إلى العناصر",
        description: "موضع القائمة في الاستجابة. اتركه فارغًا إذا كانت الاستجابة هي القائمة.",
      },
      id_path: { title: "المسار إلى المعرّف", description: "موضع المعرّف في العنصر." },
      ...filterPaths,
    },
  },
  webhook: {
    title: "خطاف ويب",
    config: {
      id_path: {
        title: "المسار إلى المعرّف",
        description: "موضع معرّف الحدث في النص الأساسي. اتركه فارغًا لاستخدام معرّف الطلب.",
      },
      ...filterPaths,
    },
  },
};

/** Of triggers of every type. */
export const triggers: BuiltInTexts["triggers"] = {
  mappings: { title: "الربط", description: "قيم الحدث التي تُنسخ إلى السجل." },
  "mappings[].type": {
    title: "النوع",
    description: "يعثر key على السجل، ويكتب file الملفات بمعرّفاتها، ويكتب field القيمة.",
  },
  "mappings[].entity_path": { title: "حقل السجل", description: `بالصيغة ${isolate("entity:field")}.` },
  "mappings[].input_path": {
    title: "المسار في الحدث",
    description: "اسم واحد لكل مستوى. تحدد الأرقام عنصرًا في قائمة.",
  },
  "mappings[].name": { title: "الاسم", description: "ما يسمي به الناس هذه القيمة." },
  pull_on_millestones: {
    title: "المراحل",
    description: "المراحل التي تُعالَج أحداثها. اتركه فارغًا لكل المراحل.",
  },
  pull_on_folders: {
    title: "المجلدات",
    description: "المجلدات التي تُعالَج أحداثها. اتركه فارغًا لكل المجلدات.",
  },
  interval: { title: "الفترة", description: "عدد الثواني بين استعلامين. القيمة الافتراضية: 300." },
};
