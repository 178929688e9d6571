import type { BuiltInTexts } from "../../built-in-texts.ts";
import { isolate } from "../../isolate.ts";
import { http } from "./http.ts";

const collection_id = { description: "معرّف مجموعة في التطبيق." };
const record_id = { description: "معرّف سجل في المجموعة." };
const file_id = { description: "معرّف ملف في التطبيق." };
const tags = { description: "معرّفات وسوم في التطبيق." };
const changes = { description: "القيم حسب الكيان والحقل. تزيل القيمة null حقلًا أو كيانًا." };
const expected_version = { description: "الإصدار الذي يجب أن يكون عليه السجل. وإلا تفشل الخطوة." };

export const services: BuiltInTexts["services"] = {
  events: {
    title: "الأحداث",
    actions: {
      emit: {
        title: "إصدار حدث",
        description: "يُصدر حدثًا للتطبيق. يستأنف الحدث كل عملية تشغيل تنتظره، ويبدأ كل سير عمل يُطلقه هذا الحدث.",
      },
      wait: {
        title: "انتظار حدث",
        description:
          "ينتظر حدثًا بهذا الاسم (name) وبهذا الموضوع (subject) إن حُدد. condition تعبير CEL على event يجب أن يكون صحيحًا. مع lookback، تُحتسب أيضًا أحداث آخر N ثانية (سبعة أيام كحد أقصى). للحد من مدة الانتظار، اضبط مهلة الخطوة.",
      },
    },
  },
  files: {
    title: "الملفات",
    actions: {
      create: {
        title: "إنشاء ملف",
        description: "ينشئ ملفًا من نص، أو من بايتات بترميز Base64، أو من عنوان URL.",
      },
      read: {
        title: "قراءة ملف",
        description: `يعيد ملفًا لا يتجاوز ${isolate("8 MiB")} نصًا بعد فك ترميزه، أو بترميز Base64 إذا كان ثنائيًا.`,
        input: { file_id },
      },
      extract_text: {
        title: "استخراج نص مستند",
        description: "يعيد نص ملف PDF أو مستند Office أو صفحة ويب أو رسالة بريد إلكتروني أو ملف نصي.",
        input: { file_id },
      },
      delete: {
        title: "حذف ملف",
        description: "يحذف ملفًا من التطبيق مع محتواه.",
        input: { file_id },
      },
    },
  },
  http,
  inputs: {
    title: "نماذج للأشخاص",
    actions: {
      create_link: {
        title: "إنشاء رابط إلى نموذج",
        description:
          "ينشئ رابطًا إلى نموذج خطوة إدخال في عملية التشغيل هذه (step_key)، لشخص لا يملك مفتاح API. يمكن أن تصل عملية التشغيل إلى الخطوة لاحقًا. يقبل النموذج إجابة واحدة. تُحدَّد قيمة expires_in بالثواني، وقيمتها الافتراضية سبعة أيام. يظهر title، ومعه text أو markdown، فوق النموذج.",
      },
    },
  },
  records: {
    title: "السجلات",
    actions: {
      list: {
        title: "سرد السجلات",
        description: "يعيد صفحة من سجلات المجموعة، الأحدث أولًا.",
        input: {
          collection_id,
          search: { description: "نص يُبحث عنه في أي حقل." },
          tags,
          page_token: { description: "قيمة next_page_token من الصفحة السابقة." },
        },
      },
      get: {
        title: "قراءة سجل",
        description: "يعيد سجلًا مع قيمه ووسومه ونتائج القواعد.",
        input: { collection_id, record_id },
      },
      create: {
        title: "إنشاء سجل",
        description: "ينشئ سجلًا وينتظر قواعد مجموعته 10 ثوانٍ كحد أقصى.",
        input: {
          collection_id,
          data: { description: `القيم حسب الكيان والحقل. تشير ${isolate("{ file_id }")} إلى ملف في التطبيق.` },
          tags,
        },
      },
      update: {
        title: "تحديث سجل",
        description: "يحدّث الحقول المحددة وينتظر قواعد المجموعة 10 ثوانٍ كحد أقصى.",
        input: { collection_id, record_id, data: changes, tags, expected_version },
      },
      upsert: {
        title: "تحديث سجل أو إنشاؤه",
        description: `يحدّث السجل الذي لحقله (path، بالصيغة ${isolate("entity:field")}) القيمة المحددة، أو ينشئه إن لم يوجد.`,
        input: { collection_id, data: changes, tags },
      },
      delete: {
        title: "حذف سجل",
        description: "يحذف سجلًا من مجموعة.",
        input: { collection_id, record_id, expected_version },
      },
    },
  },
  rules: {
    title: "القواعد",
    actions: {
      list: {
        title: "سرد قواعد مجموعة",
        description: "يعيد القواعد التي تفحص بها المجموعة سجلاتها.",
        input: { collection_id },
      },
      evaluate: {
        title: "فحص سجل",
        description: "يعيد فحص سجل بقواعد المجموعة وينتظر نتائجها 10 ثوانٍ كحد أقصى.",
        input: { collection_id },
      },
    },
  },
  scheduler: {
    title: "المُجدوِل",
    actions: {
      create: {
        title: "جدولة سير عمل",
        description: "يشغّل سير عمل مرة واحدة (at)، أو على فترات بالثواني (every)، أو وفق تعبير cron (cron).",
      },
      list: { title: "سرد الجداول الزمنية", description: "يعيد الجداول الزمنية للتطبيق." },
      cancel: {
        title: "حذف جدول زمني",
        description: "يحذف جدولًا زمنيًا، فلا يبدأ عمليات تشغيل أخرى.",
      },
      delay: {
        title: "انتظار",
        description: `يعلّق عملية التشغيل لعدد من الثواني (366 يومًا كحد أقصى) أو حتى وقت محدد (${isolate("ISO 8601")}). إذا كان الوقت قد مضى، تُستأنف فورًا.`,
      },
    },
  },
  web_search: {
    title: "البحث في الويب",
    actions: {
      search: {
        title: "بحث في الويب",
        description: "يعيد صفحات ويب، الأكثر صلة أولًا، مع عناوينها وعناوين URL ومقتطفات منها.",
      },
    },
  },
  webhooks: {
    title: "خطافات الويب الواردة",
    actions: {
      respond: {
        title: "استجابة",
        description:
          "يستجيب لطلب خطاف الويب الوارد الذي بدأ عملية التشغيل. تستمر عملية التشغيل. لا يرسل Stepwell إلا الاستجابة الأولى، خلال 30 ثانية من الطلب. لا أثر له في عمليات التشغيل الأخرى.",
      },
    },
  },
};
