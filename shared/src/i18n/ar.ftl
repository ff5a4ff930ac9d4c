# Arabic texts of pages and mails. en.ftl has every message too, with the same variables.

service-name = الفوترة الإلكترونية
skip-to-content = انتقل إلى المحتوى
sandbox-banner = بيئة تجريبية. للاختبار فقط: لا يُرسَل أي شيء إلى منشأة حقيقية أو إلى الهيئة الضريبية.
live-banner = بيئة فعلية. كل ما تفعله هنا يسري على منشأتك الحقيقية.
language-label = اللغة
signed-in-as = تم تسجيل الدخول باسم { $name }
sign-out = تسجيل الخروج
footer-text = خدمة الفوترة الإلكترونية للمنشآت في دولة الإمارات العربية المتحدة
footer-docs = وثائق واجهة البرمجة

# Signing in
sign-in-title = تسجيل الدخول
sign-in-intro = أدخل عنوان البريد الإلكتروني المسجَّل لمنشأتك، أو عنوانك كعضو في مؤسسة. سنرسل إليك رابطًا لتسجيل الدخول. لا حاجة إلى كلمة مرور.
email-label = عنوان البريد الإلكتروني
email-hint = على سبيل المثال accounts@example.com
email-wrong = أدخل عنوان بريد إلكتروني صحيحًا، مثل accounts@example.com.
sign-in-button = إرسال الرابط
form-has-problem = توجد مشكلة

sign-in-sent-title = تحقق من بريدك الإلكتروني
sign-in-sent-text = إذا كان لهذا العنوان حساب لدينا، فقد أرسلنا إليه رابطًا. ستصل الرسالة خلال بضع دقائق.
sign-in-sent-browser = افتح الرابط على هذا الجهاز وفي هذا المتصفح. يعمل الرابط مرة واحدة وتنتهي صلاحيته بعد { $minutes ->
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $minutes } دقائق
   *[other] { $minutes } دقيقة
}.
sign-in-sent-nothing = لم تصلك الرسالة؟ تحقق من مجلد الرسائل غير المرغوب فيها ومن العنوان، ثم اطلب رابطًا آخر.
sign-in-again = طلب رابط آخر

confirm-title = إتمام تسجيل الدخول
confirm-intro = لقد فتحت الرابط من رسالتنا. اضغط الزر لتسجيل الدخول هنا.
confirm-button = تسجيل الدخول

choose-title = اختر حسابًا
choose-intro = لعنوان بريدك الإلكتروني عدة حسابات. اختر الحساب الذي تريد تسجيل الدخول إليه.
choose-organization = مؤسسة، بصفة { $role }
role-owner = مالك
role-developer = مطوّر
role-billing = فوترة
role-viewer = مطّلع
role-unknown = دور آخر
choose-button = متابعة

other-browser-title = افتح الرابط في المتصفح الذي طلبته منه
other-browser-text = حرصًا على أمانك، لا يعمل الرابط إلا في المتصفح الذي طلبته منه. هذا متصفح مختلف.
other-browser-help = عُد إلى ذلك الجهاز والمتصفح وافتح الرابط هناك، أو اطلب رابطًا جديدًا من هنا.

link-gone-title = لم يعد هذا الرابط صالحًا
link-gone-text = يعمل الرابط مرة واحدة ولمدة قصيرة. سبق استخدام هذا الرابط أو انتهت صلاحيته.

account-title = حسابك
account-intro = لقد سجّلت الدخول باسم { $name }.
account-participant = معرّف المشارك: { $id }
sessions-title = الجلسات النشطة
sessions-this-browser = هذا المتصفح
sessions-some-browser = متصفح آخر
sessions-since = منذ { $time }.
sessions-seen = آخر استخدام { $time }.
sessions-end = إنهاء الجلسة التي بدأت { $time }
sign-out-everywhere = تسجيل الخروج من جميع الأجهزة
sign-out-everywhere-text = يُنهي جميع جلسات هذه المنشأة على كل الأجهزة، بما فيها هذا الجهاز.
signed-out-title = تم تسجيل خروجك
signed-out-text = للمتابعة في هذا المتصفح، سجّل الدخول من جديد.

# Connected apps
connected-title = التطبيقات المرتبطة
connected-none = لا يملك أي تطبيق حق الوصول إلى منشأتك.
connected-intro = وافقت على أن تتصرف هذه التطبيقات نيابةً عن منشأتك. عند إلغاء الوصول ينتهي فورًا.
connected-since = منذ { $date }.
connected-used = آخر استخدام { $time } (يُسجَّل كل ساعة).
connected-used-for = كان الغرض من آخر استخدام { $what }.
connected-not-used = لم يُسجَّل أي استخدام بعد.
connected-take-back = إلغاء وصول { $organization }
connected-tokens-ended = في { $date } ألغينا الرموز التي منحها هذا الربط للتطبيق، لأن أحدها استُخدم مرتين. على التطبيق أن يطلب موافقتك من جديد. يبقى الربط نفسه قائمًا حتى تلغيه: لا تزال مفاتيح واجهة البرمجة الخاصة بمالك التطبيق تعمل.
connected-take-back-hint = يتوقف فورًا كل ما يستخدم هذا الوصول. لن يتمكن التطبيق من إرسال فواتير منشأتك. لا يمكن التراجع عن ذلك: عليك الموافقة على التطبيق من جديد.
connected-take-back-now = إلغاء الوصول
connected-done-taken-back = ألغيت الوصول، وانتهى فورًا.

# Connecting an app
connect-title = يطلب { $app } التصرف نيابةً عن منشأتك
connect-from = هذا التطبيق تابع لـ { $organization }.
connect-business = منشأتك
connect-label = اسم الربط
connect-other-tin = كان التطبيق يتوقع المنشأة ذات الرقم الضريبي { $tin }. إذا كنت تقصدها فسجّل الخروج ثم سجّل الدخول باسمها.
connect-permissions = إذا وافقت، يمكن للتطبيق
permission-taxpayer-read = الاطلاع على بيانات منشأتك
permission-invoices-read = الاطلاع على جميع فواتيرك وإشعاراتك الدائنة، بما فيها ما أصدره آخرون نيابةً عنك أو أرسلوه إليك
permission-invoices-write = التحقق من الفواتير والإشعارات الدائنة وإرسالها باسم منشأتك
permission-invoices-write-also = تغيير طريقة ظهور منشأتك على الشبكة واستلامها للحالات: بطاقة أعمالها العامة، وإدراجها في الدليل العام، والجهة التي يرسل إليها المستلمون حالات تسليم مستنداتك (MLS_TO)؛ وتغيير لغة رسائلنا إليك
permission-settings-kept = لا يمكن للتطبيق تغيير عنوان إشعاراتنا. أنت وحدك تستطيع تغييره من صفحة الإعدادات.
permission-inbound-read = الاطلاع على الفواتير والإشعارات الدائنة التي يرسلها إليك الآخرون
permission-unknown = استخدام صلاحية لا تعرفها هذه النسخة من الخدمة
connect-end = يمكنك إلغاء هذا الوصول في أي وقت.
connect-back = ستعود بعد ذلك إلى { $address }.
connect-approve = موافقة
connect-decline = رفض
connect-wrong-title = أرسل التطبيق طلبًا غير صالح
connect-wrong-request = يوجد خطأ في طلب التطبيق. لم يُمنح أي وصول. تواصل مع مطوّر التطبيق.
connect-wrong-client = هذا التطبيق غير مسجَّل هنا. لم يُمنح أي وصول. تواصل مع مطوّر التطبيق.
connect-wrong-redirect = عنوان العودة الخاص بالتطبيق غير مسجَّل. حرصًا على أمانك، لم يُمنح أي وصول. تواصل مع مطوّر التطبيق.
connect-gone-title = عُد إلى التطبيق
connect-gone-text = انتهت صلاحية هذا الطلب، أو أُنشئ في متصفح آخر. ابدأ من جديد في التطبيق.
connect-decided-title = سبق البتّ في هذا الطلب
connect-decided-text = عُد إلى التطبيق. لتغيير قرارك، ابدأ من جديد في التطبيق.
connect-inactive-title = منشأتك غير مفعّلة بعد
connect-inactive-text = لا يمكن ربط تطبيق إلا بمنشأة أتمّت تسجيلها. لم يُمنح أي وصول.
connect-full-title = عدد الروابط كبير جدًا
connect-full-text = لدى مالك هذا التطبيق الحد الأقصى من الروابط بمنشأتك. ألغِ أحدها أولًا. لم يُمنح أي وصول.
connect-unpaid-title = لا يمكن ربط هذا التطبيق بعد
connect-unpaid-text = ليس لدى مالك هذا التطبيق اشتراك سارٍ معنا. لم يُمنح أي وصول. تواصل مع مطوّر التطبيق. بعد تسوية الأمر، عُد إلى التطبيق ووافق من جديد.
connect-seats-title = لا يمكن ربط هذا التطبيق بعد
connect-seats-text = لا يشمل اشتراك مالك التطبيق منشأة إضافية. لم يُمنح أي وصول. تواصل مع مطوّر التطبيق. بعد تسوية الأمر، عُد إلى التطبيق ووافق من جديد.
connect-stale-title = حاول لاحقًا
connect-refused-back = العودة إلى { $app }
connect-stale-text = لا يمكننا الآن التأكد من أن لدى مالك التطبيق اشتراكًا ساريًا معنا. لم يُمنح أي وصول. عُد إلى الصفحة السابقة ووافق من جديد بعد بضع دقائق.

# Test businesses
test-business-title = منشأة تجريبية جديدة
test-business-intro = يطلب { $app } التصرف نيابةً عن منشأة. في البيئة التجريبية يمكنك إنشاء منشأة هنا، وتكون مفعّلة فورًا.
test-business-sign-in = تسجيل الدخول باسم منشأة تجريبية موجودة
test-business-name = اسم المنشأة
test-business-name-wrong = أدخل اسمًا لا يزيد على 200 حرف.
test-business-tin = الرقم الضريبي
test-business-tin-hint = عشرة أرقام تبدأ بالرقم 1. لكل منشأة تجريبية رقمها الخاص.
test-business-tin-wrong = أدخل رقمًا ضريبيًا من عشرة أرقام يبدأ بالرقم 1.
test-business-tin-taken = توجد منشأة تجريبية أخرى بهذا الرقم. أدخل رقمًا آخر، أو سجّل الدخول باسم تلك المنشأة.
test-business-email = بريدك الإلكتروني (اختياري، لتسجيل الدخول مرة أخرى)
test-business-email-hint = نستخدمه فقط لإرسال روابط تسجيل الدخول لهذه المنشأة.
test-business-button = إنشاء ومتابعة

# Registration of a business
onboard-title = تسجيل منشأتك
onboard-intro = يجب أن تعيّننا منشأتك قبل أن نتمكن من إرسال فواتيرها وإبلاغ الهيئة الضريبية بها.
onboard-first-title = الخطوة 1: تعييننا
onboard-first-text = سجّل الدخول إلى البوابة الضريبية الوطنية باسم المنشأة، واختر هذه الخدمة مزوّد خدمة معتمدًا لها. ستُبلغنا البوابة بالتعيين. يمكنك تعييننا الآن ثم العودة.
onboard-then-title = الخطوة 2: التحقق من منشأتك
onboard-tin = الرقم الضريبي للمنشأة
onboard-tin-hint = عشرة أرقام تبدأ بالرقم 1، وهي الأرقام العشرة الأولى من رقم التسجيل الضريبي.
onboard-tin-wrong = أدخل رقمًا ضريبيًا من عشرة أرقام يبدأ بالرقم 1.
onboard-email = عنوان البريد الإلكتروني للمنشأة
onboard-email-hint = العنوان المسجَّل لهذه المنشأة في البوابة الضريبية الوطنية. سنرسل إليه رابطًا.
onboard-sent-text = إذا كانت المنشأة قد عيّنتنا وكان هذا عنوانها في البوابة الضريبية الوطنية، فقد أرسلنا إليه رابطًا. ستصل الرسالة خلال بضع دقائق.
onboard-nothing-title = لم تصلك الرسالة؟
onboard-nothing-text = تحقق من مجلد الرسائل غير المرغوب فيها. ثم تأكد في البوابة الضريبية الوطنية من أن المنشأة عيّنت هذه الخدمة وأن هذا عنوانها المسجَّل. ثم اطلب رابطًا آخر.
onboard-confirm-title = متابعة التسجيل
onboard-confirm-intro = لقد فتحت الرابط من رسالتنا. اضغط الزر لعرض بيانات المنشأة.
onboard-confirm-button = متابعة
onboard-details-title = هل هذه البيانات صحيحة؟
onboard-details-intro = هذه بيانات منشأتك في البوابة الضريبية الوطنية، وستظهر على فواتيرها.
onboard-details-changed = تغيّرت البيانات في البوابة الضريبية الوطنية منذ أن أكدتها. راجعها من جديد.
onboard-details-button = تأكيد وتسجيل
onboard-details-wrong = هل هناك بيانات غير صحيحة؟ صحّحها في البوابة الضريبية الوطنية أولًا.
onboard-look-again = التحقق مرة أخرى
onboard-defects-title = ستُرفض الفواتير التي تحمل هذه البيانات
onboard-defects-text = صحّح ما يلي في البوابة الضريبية الوطنية، ثم تحقق مرة أخرى.
onboard-detail-tin = الرقم الضريبي
onboard-detail-email = عنوان البريد الإلكتروني
onboard-detail-name = الاسم
onboard-detail-trading-name = الاسم التجاري
onboard-detail-trn = رقم التسجيل الضريبي
onboard-detail-licence = السجل
onboard-detail-address = العنوان
onboard-progress-title = يجري تسجيل منشأتك
onboard-progress-text = يستغرق ذلك عادةً أقل من دقيقة. يمكنك إغلاق هذه الصفحة، فالتسجيل يستمر تلقائيًا.
onboard-parked-text = يستغرق التسجيل وقتًا أطول من المعتاد، ويتابعه فريقنا. يمكنك إغلاق هذه الصفحة، فالتسجيل يستمر تلقائيًا.
onboard-done-title = تم تسجيل منشأتك
onboard-done-text = يمكنها الآن إرسال الفواتير واستلامها.
onboard-changed-title = تغيّرت البيانات
onboard-changed-text = لدى البوابة الضريبية الوطنية الآن بيانات أخرى. ابدأ من جديد وأكّدها.
onboard-step-details = تأكيد البيانات
onboard-step-authority = الهيئة الضريبية
onboard-step-network = شبكة الفوترة الإلكترونية
onboard-step-done = تم
onboard-step-waits = قيد التنفيذ
onboard-none-title = التسجيل غير متاح هنا
onboard-none-text = يتولى مشغّل هذه الخدمة تسجيل المنشآت. تواصل معه.
onboard-gone-title = ابدأ من جديد
onboard-gone-text = انتهت صلاحية هذه الصفحة، أو فُتحت في متصفح غير الذي بدأت فيه.
onboard-appoint-title = لم تعيّننا منشأتك
onboard-appoint-text = سجّل الدخول إلى البوابة الضريبية الوطنية واختر هذه الخدمة مزوّد خدمة معتمدًا للمنشأة، ثم أعد تحميل هذه الصفحة.
onboard-address-title = تغيّر عنوان البريد الإلكتروني
onboard-address-text = لدى البوابة الضريبية الوطنية الآن عنوان بريد إلكتروني لهذه المنشأة غير الذي استخدمته. ابدأ من جديد بالعنوان الجديد.
onboard-suspended-title = منشأتك موقوفة
onboard-suspended-text = لا يمكنها التصرف في الوقت الحالي. راجع البوابة الضريبية الوطنية أو تواصل مع مشغّل هذه الخدمة.
onboard-deregistered-title = أُلغي تسجيل منشأتك
onboard-deregistered-text = لم تعد مسجَّلة. إذا كان ذلك خطأً، فتواصل مع مشغّل هذه الخدمة.
onboard-not-here-title = منشأتك غير مسجَّلة بعد؟
onboard-not-here-text = سجّل منشأتك
account-reverification = يجب تأكيد بيانات منشأتك من جديد. حتى ذلك الحين لا يمكن لأحد التصرف نيابةً عنها.
account-onboarding = لا يزال تسجيل منشأتك جاريًا. لا يمكن لأحد التصرف نيابةً عنها بعد.
account-confirm = تأكيد البيانات

# Errors
error-not-found-title = الصفحة غير موجودة
error-not-found-text = تأكد من العنوان، أو ابدأ من جديد من الصفحة الأولى.
error-method-title = هذه الصفحة لا تدعم هذا الإجراء
error-method-text = عُد إلى الصفحة السابقة وحاول مرة أخرى.
error-form-title = تعذرت قراءة النموذج
error-form-text = عُد إلى النموذج وأرسله مرة أخرى.
error-large-title = النموذج أكبر من المسموح
error-large-text = أرسلت بيانات أكثر مما يتسع له النموذج. اختصرها وحاول مرة أخرى.
error-forged-title = لم ننفذ هذا الطلب
error-forged-text = لم يأتِ الطلب من صفحة عرضناها في هذا المتصفح، أو انتهت صلاحية تلك الصفحة. عُد وأعد تحميل الصفحة ثم أرسل مرة أخرى.
error-often-title = محاولات كثيرة
error-often-text = لحماية حسابك، نسمح بعدد محدود من المحاولات خلال مدة قصيرة.
error-down-title = الخدمة غير متاحة مؤقتًا
error-down-text = يتعذر الوصول إلى جزء من خدمتنا. حاول مرة أخرى بعد دقيقة.
error-ours-title = حدث خطأ من جانبنا
error-ours-text = نعتذر عن ذلك. حاول مرة أخرى. إذا استمرت المشكلة، فأرسل إلينا رقم الطلب أدناه.
error-request-id = رقم الطلب: { $id }
wait-minutes = حاول مرة أخرى بعد { $minutes ->
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $minutes } دقائق
   *[other] { $minutes } دقيقة
}.

# Mails
mail-sign-in-subject = رابط تسجيل الدخول
mail-sandbox-subject = رابط تسجيل الدخول (البيئة التجريبية)
mail-greeting = مرحبًا،
mail-sign-in-text = طلب شخص ما تسجيل الدخول إلى خدمة الفوترة الإلكترونية بعنوان البريد الإلكتروني هذا. إذا كنت أنت، فافتح هذا الرابط في المتصفح نفسه:
mail-sign-in-button = تسجيل الدخول
mail-sign-in-limits = يعمل الرابط مرة واحدة وتنتهي صلاحيته بعد { $minutes ->
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $minutes } دقائق
   *[other] { $minutes } دقيقة
}.
mail-sign-in-not-you = إذا لم تكن أنت، فتجاهل هذه الرسالة: لا يمكن لأحد تسجيل الدخول دون هذا الرابط. لن نطلب منك أبدًا إرسال الرابط إلينا أو إلى أي شخص آخر.
mail-access-ended-subject = ألغينا رموز أحد التطبيقات
mail-access-ended-text = استخدم التطبيق { $application } رمزًا لبيانات { $business } سبق استخدامه. ربما حصل عليه شخص آخر.
mail-access-ended-now = ألغينا فورًا الرموز التي منحها هذا الربط للتطبيق، ولم يعد بإمكان أحد استخدامها. يبقى الربط نفسه قائمًا حتى تلغيه: لا تزال مفاتيح واجهة البرمجة الخاصة بمالك التطبيق تعمل.
mail-access-ended-look = لمواصلة استخدام التطبيق، أعد ربطه من خلاله. هنا ترى التطبيقات المرتبطة ويمكنك إلغاء هذا الربط:
mail-notices-moved-subject = تغيّر عنوان الإشعارات
mail-notices-moved-text = غيّر شخص سجّل الدخول باسم { $business } العنوان الذي تصل إليه إشعاراتنا بشأن هذه المنشأة.
mail-notices-moved-still = تصلك هذه الرسالة على العنوان المسجَّل للمنشأة، أو على عنوان الإشعارات السابق. تصل الإشعارات الأمنية إلى العنوان المسجَّل أيضًا كما كانت.
mail-notices-moved-look = إذا لم تكن أنت أو أحد زملائك، فسجّل الدخول وصحّح العنوان وأنهِ الجلسات التي لا تعرفها:
mail-onboard-subject = متابعة تسجيل منشأتك
mail-onboard-text = يريد شخص ما تسجيل منشأتك في خدمة الفوترة الإلكترونية لدينا، وقد أدخل عنوان البريد الإلكتروني هذا. إذا كنت أنت، فافتح هذا الرابط في المتصفح نفسه:
mail-onboard-button = متابعة
mail-onboard-not-you = إذا لم تكن أنت، فتجاهل هذه الرسالة: لا يمكن لأحد المتابعة دون هذا الرابط. لن نطلب منك أبدًا إرسال الرابط إلينا أو إلى أي شخص آخر.

# Portal frame
switch-to-live = الانتقال إلى البيئة الفعلية
switch-to-sandbox = الانتقال إلى البيئة التجريبية
nav-menu = القائمة
nav-label = أقسام البوابة
nav-developer = المطوّرون
pager-label = صفحات القائمة
pager-first = الأحدث
pager-next = الأقدم
copy = نسخ
copied = تم النسخ
uae-time = جميع الأوقات بتوقيت الإمارات العربية المتحدة.
month-1 = يناير
month-2 = فبراير
month-3 = مارس
month-4 = أبريل
month-5 = مايو
month-6 = يونيو
month-7 = يوليو
month-8 = أغسطس
month-9 = سبتمبر
month-10 = أكتوبر
month-11 = نوفمبر
month-12 = ديسمبر

# Documents
nav-documents = المستندات
documents-title = المستندات
documents-none = لا توجد مستندات بعد
documents-none-text = تظهر هنا الفواتير والإشعارات الدائنة التي تُرسل باسم منشأتك أو إليها.
documents-not-found = لا توجد نتائج
documents-not-found-text = لا يوجد مستند يطابق بحثك. أزل بعض عوامل التصفية وابحث مرة أخرى.
documents-further = لا توجد نتائج في هذه الصفحة. يستمر البحث في المستندات الأقدم.
filter-all = الكل
filter-issued-from = صادر من
filter-issued-to = صادر حتى
filter-created-from = أُنشئ أو استُلم من يوم
filter-created-to = أُنشئ أو استُلم إلى يوم
filter-button = بحث
filter-clear = مسح
filter-wrong = أحد عوامل التصفية غير صالح. صحّحه وابحث مرة أخرى.
fact-number = الرقم
fact-direction = الاتجاه
fact-kind = النوع
fact-status = الحالة
fact-counterparty = الطرف الآخر
fact-issued = تاريخ الإصدار
fact-due = تاريخ الاستحقاق
fact-total = الإجمالي مع الضريبة
fact-without-vat = الإجمالي دون الضريبة
fact-vat = ضريبة القيمة المضافة
fact-amount-due = المبلغ المستحق
fact-reporting = الهيئة الضريبية
fact-seller = البائع
fact-buyer = المشتري
fact-sent-by = أرسله نيابةً عنك
fact-source-id = معرّف المستند لديك
fact-document-id = معرّف المستند لدينا
fact-message = الرسالة
fact-attempt = المحاولة
fact-endpoint = العنوان
fact-access-point = نقطة الوصول
fact-ebms = رمز EBMS
fact-duration = المدة
fact-code = الرمز
fact-report = التقرير
fact-receiver = المستلم
fact-refers-to = بشأن الرسالة
kind-invoice = فاتورة
kind-credit-note = إشعار دائن
kind-self-billed-invoice = فاتورة ذاتية
kind-self-billed-credit-note = إشعار دائن ذاتي
direction-outbound = صادر
direction-inbound = وارد
status-accepted = مقبول
status-converted = جاهز
status-dispatching = قيد الإرسال
status-sent = أُرسل
status-unconfirmed = غير مؤكد
status-failed = فشل
status-delivered = تم التسليم
status-forwarded = أُعيد توجيهه
status-received = مستلم
status-rejected = مرفوض
status-unknown = حالة أخرى
report-open = قيد الإبلاغ
report-due = بانتظار الإبلاغ
report-filing = قيد إرسال التقرير
report-submitted = بانتظار الرد
report-overdue = الرد متأخر
report-reported = تم الإبلاغ
report-not-compliant = غير مطابق
report-failed = فشل الإبلاغ
report-kind-submit = أُعدّ التقرير إلى الهيئة الضريبية
report-kind-resubmit = أُعيد إعداد التقرير إلى الهيئة الضريبية
report-kind-withdraw = أُعدّ سحب التقرير
report-kind-failed = أُعدّ تقرير عن مستند غير صالح
attempt-open = لا يوجد رد بعد
attempt-received = تم الاستلام مع إيصال
attempt-not-registered = المستلم غير مسجَّل
attempt-not-capable = المستلم لا يقبل هذا النوع من المستندات
attempt-defective = تسجيل المستلم غير صحيح
attempt-lookup-failed = تعذر البحث عن المستلم
attempt-held = قيد الانتظار: أخفقت نقطة وصول المستلم مرارًا مؤخرًا، أو لا سعة لديها
attempt-unreachable = تعذر الوصول إلى نقطة وصول المستلم
attempt-unconfirmed = أُرسل دون إيصال
attempt-deferred = أجّلته نقطة وصول المستلم
attempt-duplicate = لدى نقطة وصول المستلم نسخة منه
attempt-refused = رفضته نقطة وصول المستلم
event-accepted = قُبل للإرسال
event-received = ورد من نقطة وصول أو منشأة أخرى
event-state = الحالة
event-attempt = محاولة إرسال
event-mls = حالة من نقطة وصول المستلم
event-answer-attempt = محاولة إرسال حالتنا
event-answer = حالتنا إلى نقطة وصول المرسل
answer-waiting = بانتظار استرجاع المستند
answer-answering = قيد الإرسال
answer-undeliverable = نقطة الوصول لا تقبل الحالات
answer-not-owed = لا حالة مطلوبة
event-report-attempt = محاولة تسليم التقرير
event-report-state = التقرير إلى الهيئة الضريبية
event-verdict = رد الهيئة الضريبية
event-told = أُبلغت مؤسستك
document-title = المستند
document-amounts = المبالغ
document-files = الملفات
document-findings = الملاحظات
document-timeline = التسلسل الزمني
document-details = التفاصيل
document-identifiers = المعرّفات
document-credits = يقيّد لصالح
document-corrects = يصحّح
document-corrected-by = صُحّح بواسطة
download-view = القراءة والطباعة
download-pdf = PDF
limit-bytes-title = هذا المستند أكبر من أن يُعرض
limit-bytes-text = حجم المستند أكبر من 10,485,760 بايت. نزّل ملف UBL الذي يحتوي على المستند كاملًا.
limit-pdf-title = ملف PDF غير متاح
limit-lines-text = لا يتجاوز ملف PDF ‏1,000 سطر، وللمستند أكثر من ذلك. تعرض «القراءة والطباعة» جميع السطور.
limit-text-text = لا يتجاوز نص ملف PDF ‏10,000,000 بايت مع أسماء جميع القيم باللغتين، وللمستند أكثر من ذلك. تعرض «القراءة والطباعة» النص كاملًا.
download-both = الإنجليزية والعربية
download-ubl = UBL (XML)
download-content = المحتوى (JSON)
download-sbdh = المغلف (SBDH)
download-receipt = إيصال الاستلام (AS4)
finding-error = خطأ
finding-warning = تحذير
finding-field = الحقل
finding-place = الموقع في UBL
finding-value = القيمة الحالية
finding-expected = القيمة المتوقعة
document-more-findings = { $count ->
    [one] هناك ملاحظة أخرى في رد الواجهة البرمجية.
    [two] هناك ملاحظتان أخريان في رد الواجهة البرمجية.
    [few] هناك { $count } ملاحظات أخرى في رد الواجهة البرمجية.
   *[other] هناك { $count } ملاحظة أخرى في رد الواجهة البرمجية.
}
document-earlier = { $count ->
    [one] حدث أقدم واحد غير معروض.
    [two] حدثان أقدم غير معروضين.
    [few] { $count } أحداث أقدم غير معروضة.
   *[other] { $count } حدثًا أقدم غير معروض.
}

# Archives, settings and business card
nav-business = المنشأة
archives-title = الأرشيف
archives-intro = جميع مستندات فترة معينة في ملف واحد، مع نتائجها وإثباتاتها: لسجلاتك أو لمحاسبك أو للتدقيق.
archives-make-title = أرشيف جديد
archives-hint = يضم الأرشيف المستندات المرسلة والمستلمة بحسب تاريخ الإصدار، حتى { $most } مستند ونحو 10 غيغابايت. ويُدرج كل ملف مع بصمة SHA-256.
archives-make = إنشاء أرشيف
archives-begun = يجري إنشاء الأرشيف. يمكنك مغادرة هذه الصفحة.
archives-no-day = أدخل تاريخًا مثل 2026-01-31.
archives-ends-before = أدخل تاريخ انتهاء لا يسبق تاريخ البداية.
archives-none = لا توجد أرشيفات بعد
archives-none-text = يمكن تنزيل الأرشيف لمدة 7 أيام بعد إنشائه.
archives-period = تاريخ الإصدار
archives-asked = وقت الطلب
archives-file = الملف
archives-download = تنزيل
archives-until = حتى
archives-running = قيد الإنشاء
archives-failed = توقّف بسبب خطأ في الخدمة. أنشئ أرشيفًا آخر.
archives-too-large = أكثر من { $most } مستند أو نحو 10 غيغابايت. اختر فترات أقصر.
nav-settings = الإعدادات
settings-title = الإعدادات
settings-language = لغة رسائلنا إليك
settings-language-hint = لتغيير لغة هذه الصفحات في هذا المتصفح، استخدم الرابط في الأعلى.
settings-language-wrong = اختر الإنجليزية أو العربية.
settings-email = عنوان البريد الإلكتروني للإشعارات
settings-email-hint = اتركه فارغًا لتلقي الإشعارات على العنوان المسجَّل للمنشأة فقط. تصل الإشعارات الأمنية دائمًا إلى العنوان المسجَّل أيضًا. عند تغيير هذا العنوان نُبلغ العنوان المسجَّل والعنوان السابق.
settings-save = حفظ
settings-saved = تم حفظ الإعدادات. تُبلَّغ التطبيقات المرتبطة بمنشأتك.
business-title = منشأتك
business-details = البيانات
business-details-hint = تظهر هذه البيانات على فواتيرك. مصدرها تسجيل منشأتك. صحّحها حيث سُجّلت منشأتك.
business-registers = التسجيلات
business-registers-sandbox = في البيئة التجريبية لا تُقيَّد منشأتك في أي سجل.
standing-onboarding = قيد التسجيل
standing-active = نشطة
standing-reverification = يلزم التأكيد
standing-suspended = موقوفة
standing-deregistered = ملغاة التسجيل
register-network = شبكة الفوترة الإلكترونية
register-directory = دليل Peppol
registration-none = غير مسجَّلة
registration-registering = قيد التنفيذ
registration-registered = مسجَّلة
registration-leaving = قيد الانتقال إلى مزوّد آخر
registration-withdrawing = قيد الإزالة
account-steps = عرض التقدم
steps-title = مراحل التسجيل
steps-verified = تعيين هذه الخدمة في البوابة الضريبية الوطنية والتحقق من بريدك الإلكتروني
steps-confirmed = تأكيد البيانات
steps-authority = إبلاغ الهيئة الضريبية
steps-network = الإدراج في شبكة الفوترة الإلكترونية (SMP وSML)
steps-active = نشطة: يمكن للتطبيقات المرتبطة التصرف نيابةً عن المنشأة
steps-directory = الإدراج في دليل Peppol
steps-done = تم
steps-waits-for-business = بانتظارك
steps-waits-for-service = قيد التنفيذ
steps-waits-for-operator = بانتظار مشغّل هذه الخدمة
steps-later = لاحقًا
steps-open = اختياري
steps-ended = انتهى
card-title = بطاقة الأعمال
card-none = ليس لمنشأتك بطاقة أعمال بعد. أنشئ بطاقة هنا، أو دع تطبيقًا مرتبطًا ينشئها.
card-hint = يعرض دليل Peppol هذه المعلومات ما دامت منشأتك مدرجة فيه.
card-country = البلد
card-place = المكان
card-website = الموقع الإلكتروني
card-contact = جهة الاتصال
card-further = معلومات إضافية
listing-begin = إضافة إلى دليل Peppol
listing-end = إزالة من دليل Peppol
listing-inactive-title = منشأتك غير نشطة
listing-inactive-text = لا يمكن إضافة منشأة إلى الدليل أو إزالتها منه إلا إذا كانت نشطة. لم يتغير شيء.
card-write = إنشاء بطاقة أعمال
card-change = تعديل بطاقة الأعمال
card-saved = تم حفظ بطاقة الأعمال. إذا كان الدليل يعرض منشأتك، فسنرسل إليه التغيير.
card-country-code = البلد (حرفان لاتينيان، مثل AE)
card-names = الأسماء
card-names-hint = أدخل اسمًا واحدًا على الأقل. اترك الأسطر غير المستخدمة فارغة.
card-name = الاسم { $n }
card-language = لغة الاسم { $n } (حرفان لاتينيان، مثل ar؛ اختياري)
card-identifiers = المعرّفات
card-identifiers-hint = معرّفات أخرى لمنشأتك، مثل الرخصة التجارية.
card-scheme = نوع المعرّف { $n }
card-value = المعرّف { $n }
card-contacts = جهات الاتصال
card-contacts-hint = الأشخاص الذين يمكن التواصل معهم. يمكن للجميع قراءة ذلك في الدليل.
card-contact-type = غرض جهة الاتصال { $n }
card-contact-name = اسم جهة الاتصال { $n }
card-phone = هاتف جهة الاتصال { $n }
card-email = بريد جهة الاتصال { $n }
card-websites = المواقع الإلكترونية
card-websites-hint = يبدأ كل منها بـ https:// أو http://.
card-website-of = الموقع الإلكتروني { $n }
card-has-more = أضاف تطبيق أكثر مما يعرضه هذا النموذج. تبقى هذه البيانات كما هي.
card-wrong-country = أدخل رمز بلد من حرفين لاتينيين كبيرين، مثل AE.
card-wrong-language = أدخل رمز لغة من حرفين لاتينيين صغيرين، مثل ar، أو اترك الحقل فارغًا.
card-wrong-no-name = أدخل اسمًا.
card-wrong-website = أدخل عنوانًا يبدأ بـ https:// أو http:// وليس فيه مسافات.
card-wrong-email = أدخل عنوان بريد إلكتروني، مثل sales@example.com.
card-wrong-character = يحتوي هذا النص على حرف غير مرئي. أدخل النص من جديد.
card-wrong-large = تحتوي بطاقة الأعمال على نص أكثر من المسموح. أضافت تطبيقات منشآت أخرى إليها: اختصر نصوصها أولًا.
card-wrong-half = املأ هذا الحقل أيضًا، أو اترك السطر كله فارغًا.
card-wrong-long = هذا النص طويل جدًا. أدخل 500 حرف على الأكثر.
card-changed-title = تغيّرت بطاقة الأعمال
card-changed-text = غيّر تطبيق أو شخص آخر في منشأتك البطاقة أثناء تعديلك لها. لم تُحفظ تغييراتك. عُد إلى صفحة منشأتك وراجع البطاقة من جديد.
card-inactive-text = لا يمكن تغيير بطاقة الأعمال إلا لمنشأة نشطة. لم يتغير شيء.


# عرض مقروء للمستند
view-invoice = فاتورة
view-credit-note = إشعار دائن
view-document = المستند
view-references = المراجع
view-others = أطراف أخرى والتسليم
view-lines = البنود
view-allowances = الخصومات والرسوم
view-payment = الدفع
view-findings = الملاحظات
view-bytes = بايت
view-unplaced = موجود أيضًا في الملف
view-unplaced-text = قيم ليست من مصطلحات الأعمال في PINT-AE، مع مواضعها.
view-legal = هذا عرض لفاتورة إلكترونية مهيكلة. ملف XML هو الفاتورة نفسها.

# Shell of the portal
nav-home = الرئيسية
nav-organization = المؤسسة
nav-help = المساعدة
theme-label = المظهر
theme-system = النظام
theme-light = فاتح
theme-dark = داكن
filter-more = عوامل تصفية أخرى

# Front page and errors
front-title = الفوترة الإلكترونية في دولة الإمارات العربية المتحدة
front-intro = أرسِل الفواتير الإلكترونية واستلمها بالصيغة المعتمدة في دولة الإمارات، وأبلغ عنها الهيئة الضريبية.
front-sandbox = جرّب البيئة التجريبية
front-live = تسجيل الدخول إلى البيئة الفعلية
front-business-title = للمنشآت
front-business-text = اطّلع على كل فاتورة وحالتها، ونزّلها، وحدّد التطبيقات التي تتصرف نيابةً عنك.
front-developer-title = للمطوّرين
front-developer-text = واجهة برمجة تستقبل JSON وتشرح كل خطأ، وتُشعر برنامجك بطلبات موقَّعة. البيئة التجريبية مجانية.
front-proof-title = مع الإثباتات
front-proof-text = تُسجَّل كل خطوة مع إيصالها. وتحتوي الأرشيفات على جميع مستندات الفترة لأغراض التدقيق.
error-home = الانتقال إلى صفحة البداية
