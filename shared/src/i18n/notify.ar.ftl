
# Notifications: the page on which a person chooses them, and their mails
notifications-title = الإشعارات
notifications-intro = اختر الرسائل التي تصل إلى { $email } بشأن هذه المؤسسة. اختيارك يخصك وحدك.
notifications-live = هذه رسائلك بشأن البيئة الفعلية. وللبيئة التجريبية اختيار خاص بها.
notifications-sandbox = هذه رسائلك بشأن البيئة التجريبية. وللبيئة الفعلية اختيار خاص بها.
notifications-events = عند حدوث شيء
notifications-events-hint = تصلك الرسالة الأولى فورًا، ويُجمع ما يحدث في الساعة التالية في رسالة واحدة أخرى.
notifications-daily = كل صباح
notifications-daily-hint = تُرسل هذه الرسائل بين 07:00 و07:30 بتوقيت الإمارات.
notifications-rejected = رُفض مستند
notifications-rejected-hint = لم تقبله نقطة وصول المشتري أو الهيئة الضريبية، وعليك تصحيحه.
notifications-failed = فشل مستند
notifications-failed-hint = تعذّر إرساله أو تأكيد تسليمه أو الإبلاغ عنه.
notifications-endpoint = نقطة استقبال Webhook متوقفة
notifications-endpoint-hint = لم تقبل شيئًا منذ ساعة، أو عطّلناها.
notifications-seats = أوشكت المقاعد على النفاد
notifications-seats-hint = عند 80٪ وعند 100٪ من مقاعد اشتراكك.
notifications-certificate = شهادة لهذه الخدمة ستنتهي قريبًا
notifications-certificate-hint = قبل 30 و14 و7 أيام ويوم واحد. يجددها مشغّل الخدمة، وتنبهه الإنذارات.
notifications-sign-in = سجّل شخص الدخول باسمك
notifications-sign-in-hint = من متصفح لم تكن لك فيه جلسة مفتوحة.
notifications-digest = موجز الأمس
notifications-digest-hint = المستندات المرسلة والمستلمة والمرفوضة والمنتظرة، وما يحتاج إلى انتباهك. لا رسالة إن لم يحدث شيء.
notifications-language = لغة هذه الرسائل
notifications-language-wrong = اختر لغة.
notifications-save = حفظ
notifications-saved = حُفظت إشعاراتك.
notifications-limit = تصل الرسالة عن الحدث نفسه إلى { $most } عضوًا في المؤسسة على الأكثر.
mail-notify-place = { $organization }
mail-notify-place-sandbox = { $organization } (البيئة التجريبية)
mail-notify-why = تصلك هذه الرسالة وفق إشعاراتك في خدمة الفوترة الإلكترونية لدينا.
mail-notify-choose = غيّر هذه الرسائل أو أوقفها
mail-notify-documents = عرض المستندات
mail-notify-many = هناك أكثر من { $count } مستند. وتضم القائمة أدناه أحدثها.
mail-notify-rest = { $count ->
    [one] في قائمتك مستند آخر.
    [two] في قائمتك مستندان آخران.
    [few] في قائمتك { $count } مستندات أخرى.
   *[other] في قائمتك { $count } مستندًا آخر.
}
mail-notify-rejected-subject = { $count ->
    [one] رُفض مستند
    [two] رُفض مستندان
    [few] رُفضت { $count } مستندات
   *[other] رُفض { $count } مستندًا
}
mail-notify-rejected-text = لم تقبل نقطة وصول المستلم أو الهيئة الضريبية المستند. تبيّن صفحته السبب. صحّح المستند وأرسله من جديد.
mail-notify-failed-subject = { $count ->
    [one] فشل مستند
    [two] فشل مستندان
    [few] فشلت { $count } مستندات
   *[other] فشل { $count } مستندًا
}
mail-notify-failed-text = تعذّر إرسال المستند أو تأكيد تسليمه أو الإبلاغ عنه. تبيّن صفحته السبب وما يمكنك فعله.
mail-notify-endpoint-subject = نقطة استقبال Webhook لا تقبل شيئًا
mail-notify-endpoint-text = منذ ساعة أو أكثر لم تقبل نقطة الاستقبال أي حدث من أحداث مؤسستك:
mail-notify-endpoint-now = نعيد المحاولة مدة تصل إلى أربعة أيام. وبعد خمسة أيام بلا نجاح نعطّل نقطة الاستقبال. لا يضيع أي حدث: يمكنك إعادة إرسال الأحداث الفائتة خلال 30 يومًا.
mail-notify-seats-subject = { $used } من { $seats } مقاعد قيد الاستخدام
mail-notify-seats-text = عدد مقاعد اشتراكك { $seats }، والمستخدم منها { $used }. عندما تُستخدم كل المقاعد لا يمكن لمنشأة أخرى الارتباط بك في البيئة الفعلية.
mail-notify-seats-full = كل مقاعد اشتراكك قيد الاستخدام، وعددها { $seats }. لا يمكن لمنشأة أخرى الارتباط بك في البيئة الفعلية حتى تضيف مقاعد أو تلغي منشأة ربطها.
mail-notify-certificate-subject = تنتهي شهادة للخدمة في { $day }
mail-notify-certificate-text = تنتهي في { $day } شهادة تتبادل بها هذه الخدمة المستندات. يجددها مشغّل الخدمة. إن لم تعلم بتجديدها فاسأل المشغّل.
mail-notify-sign-in-subject = تسجيل دخول جديد
mail-notify-sign-in-text = فتح شخص رابط تسجيل دخول أُرسل إلى هذا العنوان، في { $time } بتوقيت الإمارات، من هذا المتصفح:
mail-notify-sign-in-now = إن لم تكن أنت فأنهِ تلك الجلسة، وتحقق ممن يستطيع قراءة بريدك.
mail-digest-subject = مستنداتك في { $day }
mail-digest-text = هذا ما حدث في { $day } بتوقيت الإمارات.
mail-digest-attention = تحتاج بعض المستندات إلى انتباهك، وتجدها في صفحتك الرئيسية.
mail-digest-well = لا شيء يحتاج إلى انتباهك.
mail-digest-sent = المرسلة
mail-digest-received = المستلمة
mail-digest-rejected = المرفوضة
mail-digest-failed = الفاشلة
mail-digest-waiting = تنتظر ردًّا الآن
mail-digest-overdue = طال انتظارها الآن
mail-digest-open = تنتظر التصحيح الآن
mail-access-revoked-subject = لم يعد بإمكان أحد التطبيقات العمل نيابة عن منشأتك
mail-access-revoked-text = انتهى وصول { $application } إلى بيانات { $business }. كان هذا الوصول يخص { $organization }. لم تنهِه أنت، بل أنهته { $organization } أو مشغّل هذه الخدمة.
mail-access-revoked-now = لم يعد بإمكان التطبيق إرسال فواتير نيابة عنك أو قراءة مستنداتك. تبقى مستنداتك في حسابك.
mail-access-revoked-look = لمواصلة استخدام التطبيق، أعد ربطه من خلاله. هنا ترى التطبيقات المرتبطة:
mail-endpoint-disabled-choose = غيّر هذه الرسائل أو أوقفها: { $link }

# الحصة اليومية في البيئة التجريبية
notifications-quota = أوشكت حصة البيئة التجريبية على النفاد
notifications-quota-hint = عند 80٪ وعند 100٪ من المستندات التي يمكن لمؤسستك إرسالها في البيئة التجريبية في اليوم (بالتوقيت العالمي).
mail-notify-quota-subject = استُخدم اليوم { $sent } من { $most } من مستندات البيئة التجريبية
mail-notify-quota-text = يمكن لمؤسستك إرسال { $most } من المستندات في البيئة التجريبية في اليوم، وقد أرسلت اليوم { $sent } (بالتوقيت العالمي). بعد إرسالها كلها تُرفض المستندات الأخرى حتى اليوم التالي.
mail-notify-quota-full = أرسلت مؤسستك كل المستندات التي يمكنها إرسالها في البيئة التجريبية في اليوم، وعددها { $most }. تُرفض المستندات الأخرى حتى اليوم التالي (بالتوقيت العالمي). يستطيع مشغّل الخدمة تحديد حصة أعلى.
overview-quota-hint = تبدأ الحصة من جديد الساعة 00:00 بالتوقيت العالمي (04:00 في الإمارات).
