
# بوابة المؤسسات
not-allowed-title = دورك لا يسمح بذلك
not-allowed-text = اطلب من أحد مالكي مؤسستك القيام بذلك أو منحك دورًا آخر.
actions = الإجراءات
status = الحالة
time = الوقت (الإمارات)
never-used = لم يُستخدم
save = حفظ
filter = تطبيق
filter-from = من تاريخ (الإمارات)
filter-to = إلى تاريخ (الإمارات)
secret-once = انسخه الآن واحفظه في مكان آمن. يُعرض مرة واحدة فقط. إذا فقدته فأنشئ غيره.
switch-none-title = مؤسستك غير مُعدّة في ذلك الوضع
switch-none-text = مؤسستك موجودة في وضع واحد فقط. اطلب من مشغّل هذه الخدمة إعدادها في الوضع الآخر أيضًا.

# الأعضاء
members-title = الأعضاء
members-intro = لكل عضو حق الوصول إلى البيئة الفعلية والبيئة التجريبية معًا.
members-role = الدور
members-since = عضو منذ
members-you = (أنت)
members-invited = دُعي في { $date }
members-change = تغيير
members-change-role = تغيير الدور
members-remove = إزالة
members-remove-hint = يُسجَّل خروج العضو من كل مكان فورًا. ويبقى ما أنشأه العضو، مثل مفاتيح واجهة البرمجة.
members-invite-title = عضو جديد
members-invite = إرسال دعوة
members-done-invited = أُرسلت الدعوة.
members-done-changed = تم تغيير الدور.
members-done-removed = تمت إزالة العضو.
members-refused-member = هذا العنوان عضو بالفعل. لتغيير الدور استخدم القائمة.
members-refused-full = بلغت مؤسستك الحد الأقصى لعدد الأعضاء.
members-refused-last-owner = تحتاج مؤسستك إلى مالك. اجعل عضوًا آخر مالكًا أولًا.
members-refused-often = بلغت الحد اليومي للدعوات. حاول مرة أخرى غدًا.
members-refused-changed = غيّر شخص آخر هذا العضو في الوقت نفسه. راجع القائمة وحاول مرة أخرى.
members-refused-role = اختر دورًا.
role-owner-may = صلاحية كاملة، بما فيها إدارة الأعضاء
role-developer-may = مفاتيح واجهة البرمجة وعملاء OAuth والويب هوك والمستندات وسجل التدقيق
role-billing-may = الاشتراك والاستخدام
role-viewer-may = يطّلع على المنشآت والمستندات والأحداث

# مفاتيح واجهة البرمجة
keys-title = مفاتيح واجهة البرمجة
keys-intro = يرسل برنامجك مفتاح واجهة برمجة مع كل طلب. للبيئة الفعلية والبيئة التجريبية مفاتيح منفصلة.
keys-none = لا توجد مفاتيح واجهة برمجة بعد
keys-label = التسمية
keys-label-hint = الغرض من المفتاح، مثل اسم نظام
keys-label-wrong = أدخل تسمية من 1 إلى 200 حرف في سطر واحد.
keys-created = تاريخ الإنشاء
keys-used = آخر استخدام
keys-active = فعّال
keys-revoked = ملغى
keys-revoke = إلغاء
keys-revoke-hint = يُرفض الطلب التالي بهذا المفتاح. لا يمكن التراجع عن ذلك.
keys-revoke-now = إلغاء المفتاح
keys-done-revoked = تم إلغاء المفتاح.
keys-make-title = مفتاح واجهة برمجة جديد
keys-make = إنشاء مفتاح
keys-new = مفتاح واجهة البرمجة الجديد

# عملاء OAuth
clients-title = الإعدادات (OAuth)
clients-intro = يستخدم تطبيقك عميل OAuth ليطلب من المنشآت الوصول إلى مستنداتها.
clients-none = لا يوجد عملاء OAuth بعد
clients-new = سر العميل الجديد
clients-name = الاسم
clients-name-hint = ترى المنشآت هذا الاسم عندما يطلب تطبيقك الوصول.
clients-scopes = الصلاحيات
clients-redirects = عناوين إعادة التوجيه
clients-redirects-hint = أدخل عنوانًا في كل سطر، تمامًا كما يرسله تطبيقك. يُسمح بـ https فقط. وفي البيئة التجريبية يُسمح أيضًا بـ http على جهازك.
clients-change = تعديل العميل
clients-done-changed = عُدِّل العميل.
clients-done-deleted = حُذف العميل.
clients-delete = حذف العميل
clients-delete-hint = لن تستطيع التطبيقات التي تستخدم هذا العميل ربط منشآت أو تجديد وصولها. يبقى رمز الوصول صالحًا حتى انتهاء مدته. تبقى المنشآت المرتبطة مرتبطة بمؤسستك.
clients-delete-now = حذف هذا العميل
clients-rotate = تدوير السر
clients-rotate-hint = تحصل على سر جديد. ويعمل السر السابق { $hours ->
    [one] ساعة واحدة
    [two] ساعتين
    [few] { $hours } ساعات
   *[other] { $hours } ساعة
} أخرى لتتمكن من استبداله في كل مكان.
clients-leaked = يعرف شخص آخر السر: يجب أن يتوقف عن العمل الآن
clients-rotate-now = إنشاء سر جديد
clients-old-secret = يعمل السر السابق حتى
clients-make-title = عميل OAuth جديد
clients-make = إنشاء عميل

# المنشآت المرتبطة
taxpayers-title = المنشآت
taxpayers-intro = المنشآت التي منحت مؤسستك حق الوصول.
taxpayers-none = لا توجد منشآت مرتبطة بعد
taxpayers-name = المنشأة
taxpayers-since = مرتبطة منذ
taxpayers-grants = حق الوصول
taxpayers-participant = المشارك في شبكة Peppol
taxpayers-disconnect = إلغاء الربط
taxpayers-disconnect-hint = يتوقف فورًا كل ما يستخدم حق الوصول هذا. وتبقى حقوق وصولك الأخرى إلى المنشأة. لا يمكن التراجع عن ذلك: على المنشأة الموافقة على تطبيقك من جديد.
taxpayers-disconnect-last-hint = هذا آخر حق وصول لك إلى هذه المنشأة. لن ترى مستنداتها ولن ترسل باسمها، ويصبح مقعدها في البيئة الفعلية شاغرًا. لا يمكن التراجع عن ذلك: على المنشأة الموافقة على تطبيقك من جديد.
taxpayers-disconnect-now = إلغاء الربط الآن
taxpayers-done-given-up = تم إلغاء الربط.
taxpayer-status-onboarding = قيد التسجيل
taxpayer-status-active = فعّالة
taxpayer-status-reverification = يلزم التأكيد
taxpayer-status-suspended = موقوفة
taxpayer-status-deregistered = ملغى تسجيلها
taxpayer-status-unknown = حالة أخرى

# الفوترة
billing-title = الاشتراك
billing-active = اشتراكك فعّال.
billing-none = ليس لديك اشتراك فعّال. في البيئة الفعلية لا يمكنك إرسال مستندات أو ربط منشأة.
billing-stale = تعذّر علينا تأكيد اشتراكك مؤخرًا. نواصل المحاولة.
billing-in-use = المنشآت المرتبطة
billing-seats = المنشآت المدفوعة
billing-any-number = أي عدد
billing-confirmed = آخر تأكيد
billing-usage = تُحاسب على المستندات التي ترسلها في البيئة الفعلية وفق عقدك.
billing-days = مستندات آخر 30 يومًا
billing-days-intro = المستندات المرسلة والمستلمة بحسب ما أُبلغت به مؤسستك، وفق اليوم بتوقيت الإمارات الذي قُبلت أو استُلمت فيه.
billing-days-billed = تستند فاتورتك إلى الإحصاء المستقل لمزوّد الفوترة.
billing-days-all = جميع الأيام
billing-sent = المرسلة
billing-received = المستلمة
billing-sandbox = البيئة التجريبية مجانية.
billing-sent-today = المستندات المرسلة اليوم (UTC)
billing-quota = الحد الأقصى للمستندات في اليوم

# سجل التدقيق
audit-title = سجل التدقيق
audit-intro = التغييرات في من يمكنه التصرف نيابةً عن من. لا تُغيَّر القيود ولا تُزال أبدًا.
audit-action = الإجراء
audit-every = الكل
audit-from = عنوان IP
audit-none = لا توجد قيود
audit-operator = مشغّل هذه الخدمة
audit-national-portal = البوابة الضريبية الوطنية

# رسائل الأعضاء
mail-invited-subject = دعوة للانضمام إلى مؤسسة
mail-invited-text = أنت مدعو للانضمام إلى { $organization } عضوًا في خدمة الفوترة الإلكترونية لدينا.
mail-invited-how = للقبول، سجّل الدخول بعنوان البريد الإلكتروني هذا. لا حاجة إلى كلمة مرور:
mail-invited-not-you = إذا كنت لا تعرف هذه المؤسسة، فتجاهل هذه الرسالة.
mail-endpoint-disabled-subject = عُطّلت نقطة استقبال للويب هوك
mail-endpoint-failing-text = لم تقبل نقطة استقبال الويب هوك الخاصة بك { $url } أي عملية تسليم منذ خمسة أيام. لذلك عطّلناها.
mail-endpoint-gone-text = ردّت نقطة استقبال الويب هوك الخاصة بك { $url } بأنها لم تعد موجودة (410). لذلك عطّلناها.
mail-endpoint-disabled-now = لن نرسل إليها شيئًا حتى تعيد تفعيلها. تبقى الأحداث الجديدة متاحة 30 يومًا، ويمكن إرسالها من جديد.

keys-none-text = أنشئ مفتاحًا أدناه ليتمكن برنامجك من إرسال أول مستند.
clients-none-text = أنشئ عميلًا أدناه لتتمكن المنشآت من الارتباط بتطبيقك.
taxpayers-none-text = اربط منشأة عبر OAuth بأحد عملائك. تظهر هنا عندما توافق على تطبيقك.
audit-none-text = غيّر عوامل التصفية وحاول مرة أخرى.

# الويب هوك
webhooks-title = الويب هوك
webhooks-intro = نُبلغ برنامجك بالأحداث بطلبات موقّعة إلى نقاط الاستقبال الخاصة بك.
webhooks-none = لا توجد نقاط استقبال ويب هوك بعد
webhooks-none-text = أنشئ نقطة استقبال أدناه وأرسل إليها حدثًا تجريبيًا.
webhooks-endpoint = نقطة الاستقبال
webhooks-url = العنوان
webhooks-url-hint = عنوان https، مثل https://example.com/hooks
webhooks-description = الوصف (اختياري)
webhooks-described = الوصف
webhooks-types = أنواع الأحداث
webhooks-types-hint = لا تختر شيئًا لتستقبل جميع أنواع الأحداث، بما فيها الأنواع المستقبلية.
webhooks-every-type = جميع أنواع الأحداث
webhooks-every-business = جميع المنشآت
webhooks-make-title = نقطة استقبال جديدة
webhooks-make = إضافة نقطة استقبال
webhooks-new = سر التوقيع لنقطة الاستقبال الجديدة
webhooks-look-at = عرض نقطة الاستقبال وإرسال حدث تجريبي
webhooks-enabled = مفعّلة
webhooks-failing = متعثرة
webhooks-disabled = معطّلة
webhooks-disabled-failing = معطّلة: تعثرت لأيام
webhooks-disabled-gone = معطّلة: ردّت نقطة الاستقبال بـ 410 Gone
webhooks-failing-since = متعثرة منذ
webhooks-disabled-since = معطّلة منذ
webhooks-new-secret = سر التوقيع الجديد
webhooks-test-title = حدث تجريبي
webhooks-test-hint = الحدث التجريبي موقّع كأي حدث آخر ويحتوي على test: true. لا يغيّر شيئًا.
webhooks-test-event = الحدث
webhooks-test = إرسال حدث تجريبي
webhooks-simulate-accepted = document.reported، مقبول
webhooks-simulate-rejected = document.reported، مرفوض
webhooks-simulate-failed = document.reported، فشل
webhooks-retry-failed = إعادة إرسال الأحداث الفاشلة
webhooks-retry-delivered = تضمين الأحداث المُسلَّمة (بمعرّف webhook-id نفسه)
webhooks-verify-title = التحقق من التوقيع
webhooks-verify-hint = انسخ هذه الشيفرة إلى برنامجك. تحقق من المحتوى الخام قبل تحليله.
webhooks-change-title = إعدادات نقطة الاستقبال
webhooks-change = تعديل العنوان وأنواع الأحداث والمنشآت
webhooks-takes = إرسال الأحداث إلى نقطة الاستقبال هذه
webhooks-rotate-hint = تحصل على سر جديد. ونوقّع بكلا السرّين { $hours ->
    [one] ساعة واحدة
    [two] ساعتين
    [few] { $hours } ساعات
   *[other] { $hours } ساعة
} لتتمكن من استبدال السر السابق دون أن تفقد أي حدث.
webhooks-delete = حذف نقطة الاستقبال
webhooks-delete-hint = لن تُرسَل عمليات التسليم المعلّقة إلى نقطة الاستقبال هذه. لا يمكن التراجع عن ذلك.
webhooks-delete-now = حذف نقطة الاستقبال
webhooks-done-deleted = تم حذف نقطة الاستقبال.
webhooks-done-changed = تم تغيير نقطة الاستقبال.
webhooks-done-test = يجري إرسال الحدث التجريبي. تظهر النتيجة أدناه.
webhooks-done-retried = يجري إرسال الأحداث الفاشلة من جديد.
webhooks-done-more = يجري إرسال أول الأحداث التي عُثر عليها من جديد. هناك المزيد من الأحداث للتحقق منها: تابع الباقي.
webhooks-done-none = لا توجد أحداث لإعادة إرسالها.
webhooks-retry-since = الأحداث منذ (بتوقيت الإمارات)
webhooks-retry-rest = متابعة الباقي
webhooks-since-wrong = أدخل التاريخ والوقت اللذين يُعاد إرسال الأحداث ابتداءً منهما.
deliveries-title = عمليات التسليم
deliveries-none = لا توجد عمليات تسليم بعد.
deliveries-further = لا توجد نتائج في هذه الصفحة. تستمر القائمة بعمليات التسليم الأقدم.
deliveries-last = آخر رد
deliveries-attempts = المحاولات
delivery-title = تسليم
delivery-pending = قيد الانتظار
delivery-delivering = قيد الإرسال
delivery-failing = متعثر
delivery-delivered = تم التسليم
delivery-failed = فشل
delivery-unknown = حالة أخرى
delivery-next = المحاولة التالية
delivery-retry = إعادة المحاولة الآن
delivery-again = إعادة الإرسال
delivery-no-attempts = لا توجد محاولات بعد.
delivery-done-retried = يجري إرسال الحدث من جديد. تعرض المحاولات أدناه النتيجة.
delivery-not-retried-title = لم يُرسَل الحدث من جديد
delivery-not-retried-text = نقطة الاستقبال معطّلة، أو توجد محاولة جارية. راجع نقطة الاستقبال.
attempt-request = ترويسات الطلب
attempt-answer = الرد
attempt-answer-empty = لا محتوى في الرد.
attempt-answer-owners = المالكون فقط يمكنهم رؤية رد نقطة الاستقبال.
attempt-answer-cut = مختصر. تعرض واجهة البرمجة المزيد منه:

# الأحداث
events-title = الأحداث
events-intro = أحداث آخر 30 يومًا، سواء استقبلتها نقطة استقبال أم لا.
events-type = النوع
events-document = المستند
events-test = تجريبي
events-none = لا توجد أحداث
events-none-text = تقع الأحداث عند إرسال المستندات أو استلامها، وعند ارتباط المنشآت.
event-body = المحتوى
event-body-cut = مختصر.
event-body-whole = تنزيل المحتوى كاملًا
event-send-to = نقطة استقبال لم يُرسل إليها هذا الحدث قط
event-send = إرسال الحدث
event-no-deliveries = لم تكن أي نقطة استقبال مشتركة في هذا الحدث.
event-endpoint-deleted = محذوفة

# نظرة عامة
overview-attention = يحتاج إلى انتباه
overview-awaited = ردود منتظرة
overview-awaited-intro = مرتبة بحسب الموعد المتوقع، الأقرب أولًا.
overview-awaits-status = حالة من نقطة وصول المستلم
overview-awaits-verdict = رد الهيئة الضريبية على التقرير
overview-overdue = متأخر
overview-days = مستندات آخر 14 يومًا
overview-days-intro = نتائج المستندات التي قُبلت أو استُلمت في كل يوم. المستند الذي أُرسل وسُلّم وأُبلغ عنه يُحسب في الأعمدة الثلاثة.
overview-day = اليوم
overview-all-events = كل الأحداث
overview-first-steps = الخطوات الأولى
overview-step-key = أنشئ مفتاح واجهة برمجة لبرنامجك
overview-step-webhook = أنشئ نقطة استقبال وأرسل إليها حدثًا تجريبيًا
overview-step-client = أنشئ عميل OAuth لتطبيقك
overview-step-done = تم

# جلسات العضو
member-sessions-title = الجلسات
member-sessions-intro = جلساتك النشطة بعنوان { $email } في هذا الوضع.
member-session-ended = تم إنهاء الجلسة.
member-sign-out-everywhere-text = يُنهي جميع جلساتك في هذه المؤسسة وهذا الوضع، بما فيها هذه الجلسة.

# منشآت نقطة الاستقبال
webhooks-taxpayers-hint = لا تختر شيئًا لتستقبل أحداث كل منشأة منحت مؤسستك حق الوصول، بما فيها المنشآت المستقبلية.
webhooks-taxpayers-ids = معرّفات المنشآت (taxpayer_id)، معرّف في كل سطر
webhooks-taxpayers-wrong = أحد معرّفات المنشآت غير صحيح. يبدأ كل معرّف بـ txpay_ ويكون في سطر مستقل.
webhooks-taxpayers-many = لا يمكن أن تشمل نقطة الاستقبال أكثر من 100 منشأة. أدخل عددًا أقل، أو لا تدخل شيئًا لاستقبال أحداث جميع المنشآت.

# أسباب الرفض: تقدمها حالات الاستخدام بالإنجليزية فقط
refused-client-name = أدخل اسمًا للعميل من 1 إلى 100 حرف في سطر واحد.
refused-client-scopes = اختر صلاحية واحدة على الأقل. لا يمكن لعميل بلا صلاحيات ربط منشأة.
refused-client-limit = بلغت مؤسستك الحد الأقصى لعدد العملاء.
refused-redirects = أدخل من 1 إلى 20 عنوان إعادة توجيه.
refused-redirect-long = عنوان إعادة التوجيه { $value } طويل جدًا.
refused-redirect-absolute = يجب أن يكون عنوان إعادة التوجيه { $value } عنوانًا كاملًا بصيغته المعتادة، مثل https://app.example/callback.
refused-redirect-https = يجب أن يبدأ عنوان إعادة التوجيه { $value } بـ https://، أو في البيئة التجريبية بـ http:// على جهازك.
refused-redirect-fragment = يجب ألا يحتوي عنوان إعادة التوجيه { $value } على #.
refused-redirect-user = يجب ألا يحتوي عنوان إعادة التوجيه { $value } على اسم مستخدم أو كلمة مرور.
refused-webhook-url = لا يمكننا الإرسال إلى هذا العنوان. يجب أن يبدأ بـ https:// وأن يشير إلى عنوان عام، وألا يحتوي على اسم مستخدم أو كلمة مرور.
refused-endpoint-limit = بلغت مؤسستك الحد الأقصى لعدد نقاط الاستقبال. احذف واحدة أولًا.
refused-endpoint-disabled = نقطة الاستقبال معطّلة ولا تستقبل شيئًا. فعّلها أولًا.
refused-version = غيّر شخص آخر نقطة الاستقبال. راجعها من جديد قبل تغييرها.
refused-import-column = أسماء الأعمدة غير صالحة.
refused-import-documents = يضم الاستيراد 10,000 مستند على الأكثر. قسّم الملف.
refused-import-empty = لا يحتوي الملف على أي مستندات.
refused-import-gzip = ملف gzip غير مكتمل.
refused-import-quotes = توجد علامة اقتباس غير مغلقة. تُكتب كل علامة داخل قيمة مقتبسة مرتين.
refused-import-row = تعذّرت قراءة أحد الصفوف.
refused-import-size = حجم الملف أكبر من 64 ميغابايت. قسّم الملف.
refused-import-utf8 = ترميز الملف ليس UTF-8. احفظه بترميز UTF-8.
refused-import-workbook = لا يمكن قراءة المصنف. احفظ الورقة من جديد بصيغة .xlsx أو بصيغة CSV وترميز UTF-8.
refused-subscription = تتطلب المستندات الفعلية اشتراكًا ساريًا.
refused-billing-unknown = لا يمكننا الآن التأكد من أن الاشتراك سارٍ. حاول مرة أخرى لاحقًا.
refused-queued-delivery = يتطلب الاستيراد التسليم عبر قائمة الانتظار، وهو غير مفعّل هنا.

# Imports
imports-title = الاستيراد
imports-intro = أرسل مستندات كثيرة لـ { $business } في ملف واحد. يُفحص كل مستند ويُرسل كأي مستند آخر. إعادة استيراد الملف نفسه لا ترسل شيئًا مرتين.
imports-make-title = استيراد جديد
imports-kind = نوع المستند
imports-file = الملف
imports-file-hint = ملف CSV أو Excel (.xlsx) أو JSON Lines يضم حتى { $most } مستند وحجمه حتى 4 ميغابايت. يمكن أن يضم ملف مضغوط بـ gzip حتى 64 ميغابايت.
imports-drop = يمكنك أيضًا إسقاط الملف هنا. إسقاط الملف لا يرسل شيئًا.
imports-drop-many = أسقط ملفًا واحدًا في كل مرة.
imports-make = فحص الملف
imports-check-title = فحص الملف
imports-check-intro = هذا محتوى الملف لـ { $business }. لم يُرسَل شيء بعد.
imports-check-read = المحتوى
imports-check-documents = المستندات
imports-check-rows = الصفوف
imports-check-faulty = مستندات فيها أخطاء
imports-check-partly = الملف طويل. فُحصت أول { $judged } من المستندات فقط بجميع القواعد. قُرئت المستندات الأخرى وستُفحص عند إرسالها.
imports-check-sums = إجماليات المستندات الخالية من الأخطاء
imports-check-currency = العملة
imports-check-errors = الأخطاء
imports-check-errors-text = لا تُرسَل المستندات التي فيها أخطاء. صحّحها واستورد الملف من جديد. المستندات المرسلة لا تُرسَل مرتين. الأخطاء الأولى:
imports-check-row = الصف
imports-check-column = العمود
imports-check-error = الخطأ
imports-check-send = { $documents ->
    [one] إرسال مستند واحد
    [two] إرسال مستندين
    [few] إرسال { $documents } مستندات
    [many] إرسال { $documents } مستندًا
   *[other] إرسال { $documents } مستند
}
imports-template = جدول CSV للبدء
imports-template-excel = مصنف Excel للبدء
imports-check-value = القيمة
imports-check-preview = معاينة مستند واحد
imports-check-refused = تنزيل المستندات التي فيها أخطاء
imports-check-send-of = إرسال { $documents } من { $all } مستند
imports-check-other = اختيار ملف آخر
imports-check-hint = نحتفظ بالملف ساعة واحدة. بعدها اختره من جديد.
imports-gone-title = انتهت صلاحية الملف
imports-gone-text = نحتفظ بالملف ساعة واحدة بعد اختياره. لم يُرسَل منه شيء. انتقل إلى صفحة الاستيراد واختره من جديد.
imports-done-begun = بدأ الاستيراد. تعرض القائمة أدناه التقدم.
imports-none = لا توجد عمليات استيراد بعد
imports-none-text = تظهر هنا لمدة 90 يومًا عمليات الاستيراد التي تجريها برامجك وأعضاء مؤسستك لهذه المنشأة.
imports-begun = البداية
imports-progress = التقدم
imports-outcome = النتيجة
imports-accepted = أُرسل:
imports-already-sent = أُرسل من قبل:
imports-refused = رُفض:
imports-result = ملف النتائج
imports-download = تنزيل
imports-running = متاح بعد إرسال جميع المستندات
imports-failed = توقّف بسبب خطأ في الخدمة. استورد الملف من جديد. المستندات المرسلة لا تُرسَل مرة أخرى.

# Start page of an organization
overview-sent = مُرسَلة
overview-received = مُستلَمة
overview-failed = مرفوضة أو متعثرة
overview-waiting = بانتظار الرد
overview-today = { $count } اليوم
overview-open = { $count ->
    [zero] لا شيء يحتاج إلى انتباهك
    [one] مستند واحد يحتاج إلى انتباهك
    [two] مستندان يحتاجان إلى انتباهك
    [few] { $count } مستندات تحتاج إلى انتباهك
   *[other] { $count } مستندًا يحتاج إلى انتباهك
}
overview-late = { $count } متأخرة
overview-chart-text = { $most ->
    [one] عمود لكل يوم. أعلى يوم فيه مستند واحد. الأرقام في الجدول أدناه.
    [two] عمود لكل يوم. أعلى يوم فيه مستندان. الأرقام في الجدول أدناه.
    [few] عمود لكل يوم. أعلى يوم فيه { $most } مستندات. الأرقام في الجدول أدناه.
   *[other] عمود لكل يوم. أعلى يوم فيه { $most } مستندًا. الأرقام في الجدول أدناه.
}
overview-table = عرض كجدول
overview-see-why = معرفة السبب
overview-see-attempts = عرض المحاولات
overview-nothing = لا شيء يحتاج إلى انتباهك.
overview-latest = أحدث المستندات
overview-all-documents = جميع المستندات
overview-steps-done = أُنجز { $done }
overview-step-business = اربط منشأة عبر عميل OAuth الخاص بك
overview-step-send = أرسِل أول فاتورة
health-on-time = جميع الردود في موعدها
health-late = ردود جهات أخرى متأخرة
health-webhooks = جميع نقاط الإشعار تعمل
health-webhooks-failing = إحدى نقاط الإشعار متعثرة
health-no-webhooks = لا توجد نقاط إشعار بعد
recent-intro = أحدث مستندات جميع المنشآت خلال آخر 30 يومًا.
recent-businesses = للبحث في جميع مستندات منشأة، افتح صفحة المنشأة.
recent-none-text = تظهر هنا مستندات المنشآت التي منحت مؤسستك حق الوصول.

# Scopes, for the organization that has them
scope-taxpayer-read = الاطلاع على بيانات المنشأة
scope-invoices-read = الاطلاع على جميع فواتير المنشأة وإشعاراتها الدائنة
scope-invoices-write = التحقق من الفواتير والإشعارات الدائنة وإرسالها باسم المنشأة
scope-inbound-read = الاطلاع على الفواتير والإشعارات الدائنة التي تستلمها المنشأة

# Test businesses
taxpayers-test-business = ربط منشأة تجريبية
taxpayers-done-connected = المنشأة التجريبية نشطة، ويمكنك التصرف نيابةً عنها.
overview-step-test-business = اربط منشأة تجريبية
overview-step-do = ربط

# سجل التدقيق في جمل: رسالة لكل إجراء. جمل اسمية تصح مع المذكر والمؤنث.
audit-service = الخدمة
audit-api-key = مفتاح واجهة البرمجة { $name }
audit-client = تطبيق { $name }
audit-business = منشأة { $name }
audit-with-role = { $name } (الدور: { $role })
audit-did-organization-created = { $actor }: إنشاء المؤسسة.
audit-did-key-created = { $actor }: إنشاء مفتاح واجهة البرمجة { $subject }.
audit-did-key-revoked = { $actor }: إلغاء مفتاح واجهة البرمجة { $subject }.
audit-did-member-invited = { $actor }: دعوة { $subject } إلى العضوية.
audit-did-member-joined = { $actor }: تسجيل الدخول لأول مرة.
audit-did-member-role-changed = { $actor }: تغيير دور { $subject }.
audit-did-member-removed = { $actor }: إزالة العضو { $subject }.
audit-did-client-created = { $actor }: إنشاء عميل OAuth { $subject }.
audit-did-client-updated = { $actor }: تغيير اسم عميل OAuth { $subject } أو عناوين إعادة التوجيه الخاصة به.
audit-did-client-deleted = { $actor }: حذف عميل OAuth { $subject }.
audit-did-client-secret-rotated = { $actor }: إنشاء سر جديد لعميل OAuth { $subject }.
audit-did-grant-approved = { $actor }: منح مؤسستك حق الوصول ({ $subject }).
audit-did-grant-revoked = { $actor }: إنهاء وصول مؤسستك ({ $subject }).
audit-did-taxpayer-created = { $actor }: إنشاء المنشأة { $subject }.
audit-did-taxpayer-updated = { $actor }: تغيير إعدادات المنشأة { $subject }.
audit-did-taxpayer-status-changed = { $actor }: تغيير حالة المنشأة { $subject }.
audit-did-onboarding-requested = { $actor }: طلب تسجيل منشأة ({ $subject }).
audit-did-onboarding-verified = { $actor }: استخدام رابط التحقق من تسجيل منشأة ({ $subject }).
audit-did-onboarding-confirmed = { $actor }: تأكيد بيانات منشأة ({ $subject }).
audit-did-sign-in-succeeded = { $actor }: تسجيل الدخول (الجلسة { $subject }).
audit-did-session-ended = { $actor }: تسجيل الخروج ({ $subject }).
audit-did-token-reuse-detected = { $actor }: تقديم رمز مستخدم من قبل. ألغينا الرموز الخاصة بالوصول { $subject }.
audit-did-subscription-set = { $actor }: ضبط الاشتراك.
audit-did-subscription-ended = { $actor }: إنهاء الاشتراك.
audit-did-quota-set = { $actor }: ضبط الحصة اليومية في البيئة التجريبية.
audit-did-endpoint-created = { $actor }: إنشاء نقطة استقبال الويب هوك { $subject }.
audit-did-endpoint-updated = { $actor }: تغيير نقطة استقبال الويب هوك { $subject }.
audit-did-endpoint-secret-rotated = { $actor }: إنشاء سر توقيع جديد لنقطة استقبال الويب هوك { $subject }.
audit-did-endpoint-disabled = { $actor }: تعطيل نقطة استقبال الويب هوك { $subject } لأن عمليات التسليم إليها فشلت.
audit-did-endpoint-deleted = { $actor }: حذف نقطة استقبال الويب هوك { $subject }.
audit-did-event-tested = { $actor }: إرسال الحدث التجريبي { $subject }.
audit-did-delivery-retried = { $actor }: إعادة إرسال الحدث { $subject }.
audit-did-endpoint-replayed = { $actor }: إعادة إرسال الأحداث الفاشلة لنقطة استقبال الويب هوك { $subject }.
audit-did-import-created = { $actor }: استيراد الملف { $subject }.
audit-did-unknown = { $actor }: إجراء لا تعرفه هذه الصفحة ({ $subject }).

# الصفحة الرئيسية: أحداث توقف تسليمها
overview-stopped = { $count ->
    [one] لم يُسلَّم حدث واحد من أحداث آخر 7 أيام، وتوقفنا عن المحاولة.
    [two] لم يُسلَّم حدثان من أحداث آخر 7 أيام، وتوقفنا عن المحاولة.
    [few] لم تُسلَّم { $count } أحداث من أحداث آخر 7 أيام، وتوقفنا عن المحاولة.
   *[other] لم يُسلَّم { $count } حدثًا من أحداث آخر 7 أيام، وتوقفنا عن المحاولة.
}
overview-stopped-many = لم يُسلَّم أكثر من { $count } حدثًا من أحداث آخر 7 أيام، وتوقفنا عن المحاولة.
overview-send-again = عرض وإعادة إرسال
overview-stopped-checked = تفحص هذه الصفحة أول { $most } نقاط استقبال مفعّلة لديك بحثًا عن أحداث لم تُسلَّم.
