# What people read in Arabic. Every message is in en.ftl too, with the same variables.

service-name = الفوترة الإلكترونية
skip-to-content = انتقل إلى المحتوى
sandbox-banner = بيئة تجريبية. هذه الصفحات للاختبار فقط: لا يُرسَل منها شيء إلى أي منشأة حقيقية ولا إلى الهيئة الضريبية.
live-banner = بيئة فعلية. ما تفعله هنا يسري على منشأتك الحقيقية.
language-label = اللغة
signed-in-as = تم تسجيل الدخول باسم { $name }
sign-out = تسجيل الخروج
footer-text = خدمة الفوترة الإلكترونية للمنشآت في دولة الإمارات العربية المتحدة
footer-docs = وثائق واجهة البرمجة

# Signing in
sign-in-title = تسجيل الدخول
sign-in-intro = أدخل عنوان البريد الإلكتروني المسجَّل لمنشأتك، أو عنوانك كعضو في مؤسسة، وسنرسل إليك رابطًا لتسجيل الدخول. لا حاجة إلى كلمة مرور.
email-label = عنوان البريد الإلكتروني
email-hint = على سبيل المثال accounts@example.com
email-wrong = أدخل عنوان بريد إلكتروني صحيحًا، مثل accounts@example.com.
sign-in-button = أرسل لي الرابط
form-has-problem = توجد مشكلة

sign-in-sent-title = تحقق من بريدك الإلكتروني
sign-in-sent-text = إذا كان لهذا العنوان حساب لدينا فقد أرسلنا إليه رابطًا. يُفترض أن تصل الرسالة خلال بضع دقائق.
sign-in-sent-browser = افتح الرابط على هذا الجهاز وفي هذا المتصفح. يعمل الرابط مرة واحدة ولمدة { $minutes ->
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $minutes } دقائق
   *[other] { $minutes } دقيقة
}.
sign-in-sent-nothing = لم يصلك شيء؟ ابحث في مجلد الرسائل غير المرغوب فيها، وتأكد من العنوان، ثم اطلب رابطًا آخر.
sign-in-again = اطلب رابطًا آخر

confirm-title = إتمام تسجيل الدخول
confirm-intro = لقد فتحت الرابط من رسالتنا. اضغط الزر لتسجيل الدخول هنا.
confirm-button = تسجيل الدخول

choose-title = اختر حسابًا
choose-intro = لعنوان بريدك الإلكتروني عدة حسابات. لأي حساب تريد تسجيل الدخول؟
choose-organization = مؤسسة، بصفة { $role }
role-owner = مالك
role-developer = مطوّر
role-billing = فوترة
role-viewer = مطّلع
role-unknown = دور آخر
choose-button = متابعة

other-browser-title = افتح الرابط في المتصفح الذي طلبته منه
other-browser-text = حرصًا على أمانك يعمل الرابط في متصفح واحد فقط، وهو المتصفح الذي طلبته منه. هذا متصفح آخر.
other-browser-help = عُد إلى ذلك الجهاز والمتصفح وافتح الرابط هناك، أو اطلب رابطًا جديدًا من هنا.

link-gone-title = لم يعد هذا الرابط صالحًا
link-gone-text = يعمل الرابط مرة واحدة ولمدة قصيرة. لقد استُخدم هذا الرابط من قبل أو انتهت مدته.

account-title = حسابك
account-intro = لقد سجّلت الدخول باسم { $name }.
account-participant = معرّف المشارك: { $id }
sessions-title = أين سجّلت الدخول
sessions-this-browser = هذا المتصفح
sessions-some-browser = متصفح آخر
sessions-since = منذ { $time }.
sessions-seen = آخر استخدام { $time }.
sessions-end = إنهاء الجلسة التي بدأت { $time }
sign-out-everywhere = تسجيل الخروج من جميع الأجهزة
sign-out-everywhere-text = يُنهي هذا جميع جلسات هذه المنشأة على كل الأجهزة، بما فيها هذا الجهاز.
signed-out-title = تم تسجيل خروجك
signed-out-text = لا يمكن لأحد المتابعة من هذا المتصفح دون تسجيل الدخول من جديد.

# Connected applications
connected-title = التطبيقات المرتبطة
connected-none = لا يحق لأحد التصرف نيابةً عن منشأتك.
connected-intro = يحق لهذه التطبيقات التصرف نيابةً عن منشأتك لأنك وافقت عليها. إذا سحبت موافقة انتهت فورًا.
connected-since = منذ { $date }.
connected-used = آخر استخدام { $time }، ويُسجَّل مرة كل ساعة.
connected-used-for = وكان الغرض منه { $what }.
connected-not-used = لم يُسجَّل أي استخدام بعد.
connected-take-back = سحب الموافقة من { $organization }
connected-tokens-ended = في { $date } أنهينا المفاتيح التي منحها هذا الربط للتطبيق، لأن أحدها استُخدم مرتين. على التطبيق أن يطلب موافقتك من جديد. يبقى الربط نفسه قائمًا حتى تنهيه: فالمفاتيح الخاصة بمالكه لا تزال تعمل.
connected-take-back-hint = يتوقف فورًا كل ما يستخدم هذه الموافقة: لن يستطيع إرسال فواتير باسم منشأتك بعد ذلك. لا يمكن التراجع عن ذلك، وعليك الموافقة من جديد في التطبيق.
connected-take-back-now = سحب الموافقة الآن
connected-done-taken-back = سحبت الموافقة، وانتهت فورًا.

# Connecting an application
connect-title = يطلب { $app } التصرف نيابةً عن منشأتك
connect-from = هذا التطبيق تابع لـ { $organization }.
connect-business = منشأتك
connect-label = اسم هذا الربط
connect-other-tin = كان التطبيق يتوقع المنشأة ذات الرقم الضريبي { $tin }. إذا كنت تقصدها فسجّل الخروج ثم سجّل الدخول باسمها.
connect-permissions = إذا وافقت، فسيُسمح له بما يلي
permission-taxpayer-read = الاطلاع على بيانات منشأتك
permission-invoices-read = الاطلاع على جميع فواتيرك وإشعاراتك الدائنة، بما فيها ما أصدره آخرون نيابةً عنك أو أرسلوه إليك
permission-invoices-write = التحقق من الفواتير والإشعارات الدائنة وإرسالها باسم منشأتك
permission-invoices-write-also = تغيير طريقة ظهور منشأتك على الشبكة والرد عليها: بطاقة أعمالها العامة، وإدراجها في الدليل العام من عدمه، والجهة التي يرسل إليها المستلمون حالات تسليم مستنداتك (MLS_TO)؛ وتغيير لغة مراسلاتنا إليك
permission-settings-kept = لا يمكنه تغيير العنوان الذي تصل إليه إشعاراتنا. أنت وحدك تغيّره من صفحة الإعدادات.
permission-inbound-read = الاطلاع على الفواتير والإشعارات الدائنة التي يرسلها إليك الآخرون
permission-unknown = القيام بأمر لا تعرفه هذه النسخة من الخدمة
connect-end = يمكنك سحب هذه الموافقة في أي وقت.
connect-back = ستعود بعد ذلك إلى { $address }.
connect-approve = موافقة
connect-decline = رفض
connect-wrong-title = أرسلك التطبيق إلى هنا بطريقة لا يمكننا قبولها
connect-wrong-request = يوجد خطأ في طلبه. لم تُمنح أي صلاحية. أبلغ الجهة التي تطوّر التطبيق.
connect-wrong-client = لا نعرف هذا التطبيق هنا. لم تُمنح أي صلاحية. أبلغ الجهة التي تطوّره.
connect-wrong-redirect = لا نعرف العنوان الذي يريد التطبيق إعادتك إليه. حفاظًا على سلامتك لم تُمنح أي صلاحية. أبلغ الجهة التي تطوّره.
connect-gone-title = عُد إلى التطبيق
connect-gone-text = هذا الطلب قديم جدًا، أو قُدِّم في متصفح آخر. ابدأ من جديد في التطبيق.
connect-decided-title = سبق البتّ في هذا الطلب
connect-decided-text = عُد إلى التطبيق. لاتخاذ قرار جديد ابدأ من هناك مرة أخرى.
connect-inactive-title = منشأتك غير مفعّلة بعد
connect-inactive-text = لا يمكن ربط تطبيق إلا بمنشأة أتمّت تسجيلها. لم تُمنح أي صلاحية.
connect-full-title = عدد الروابط كبير جدًا
connect-full-text = لدى مالك هذا التطبيق أقصى عدد ممكن من الروابط بمنشأتك. أنهِ أحدها أولًا. لم تُمنح أي صلاحية.
connect-unpaid-title = لا يمكن ربط هذا التطبيق بعد
connect-unpaid-text = ليس لدى مالكه اشتراك سارٍ معنا. لم تُمنح أي صلاحية. أبلغ الجهة التي تطوّر التطبيق؛ وبعد تسوية الأمر عُد إلى التطبيق ووافق من جديد.
connect-seats-title = لا يمكن ربط هذا التطبيق بعد
connect-seats-text = اشتراك مالكه لا يتسع لمنشأة إضافية. لم تُمنح أي صلاحية. أبلغ الجهة التي تطوّر التطبيق؛ وبعد تسوية الأمر عُد إلى التطبيق ووافق من جديد.
connect-stale-title = حاول لاحقًا
connect-refused-back = العودة إلى { $app }
connect-stale-text = لا يمكننا الآن معرفة ما إذا كان لدى مالك التطبيق اشتراك سارٍ معنا. لم تُمنح أي صلاحية. عُد إلى الصفحة السابقة ووافق من جديد بعد بضع دقائق.

# A test business
test-business-title = إنشاء منشأة تجريبية
test-business-intro = يطلب { $app } التصرف نيابةً عن منشأة. في البيئة التجريبية يمكنك إنشاء منشأة هنا، وتكون مفعّلة فورًا.
test-business-sign-in = تسجيل الدخول باسم منشأة تجريبية أنشأتها من قبل
test-business-name = اسم المنشأة
test-business-name-wrong = أدخل اسمًا لا يزيد على 200 حرف.
test-business-tin = الرقم الضريبي
test-business-tin-hint = عشرة أرقام تبدأ بالرقم 1. لا توجد منشأة تجريبية أخرى بهذا الرقم.
test-business-tin-wrong = أدخل رقمًا ضريبيًا من عشرة أرقام يبدأ بالرقم 1.
test-business-tin-taken = توجد منشأة تجريبية أخرى بهذا الرقم. أدخل رقمًا آخر، أو سجّل الدخول باسم تلك المنشأة.
test-business-email = بريدك الإلكتروني (إذا أردت تسجيل الدخول مرة أخرى)
test-business-email-hint = نرسل إليه روابط تسجيل الدخول ولا شيء غيرها.
test-business-button = إنشاء ومتابعة

# Onboarding a business
onboard-title = تسجيل منشأتك
onboard-intro = يجب أن تعيّننا منشأتك قبل أن نتمكن من إرسال فواتيرها وإبلاغ الهيئة الضريبية بها.
onboard-first-title = أولًا: عيّننا مزوّد خدمة
onboard-first-text = سجّل الدخول إلى البوابة الضريبية الوطنية باسم المنشأة واختر هذه الخدمة مزوّد خدمة معتمدًا لها. سنعلم بذلك حالما تبلغنا البوابة؛ يمكنك القيام بذلك الآن ثم العودة.
onboard-then-title = ثانيًا: أثبت أنها منشأتك
onboard-tin = الرقم الضريبي للمنشأة
onboard-tin-hint = عشرة أرقام تبدأ بالرقم 1، وهي الأرقام العشرة الأولى من رقم التسجيل الضريبي.
onboard-tin-wrong = أدخل رقمًا ضريبيًا من عشرة أرقام يبدأ بالرقم 1.
onboard-email = عنوان البريد الإلكتروني للمنشأة
onboard-email-hint = العنوان المسجَّل لهذه المنشأة في البوابة الضريبية الوطنية. سنرسل إليه رابطًا.
onboard-sent-text = إذا كانت المنشأة قد عيّنتنا وكان هذا عنوانها المسجَّل في البوابة الضريبية الوطنية فقد أرسلنا إليه رابطًا. يُفترض أن تصل الرسالة خلال بضع دقائق.
onboard-nothing-title = لم يصلك شيء؟
onboard-nothing-text = ابحث في مجلد الرسائل غير المرغوب فيها، ثم راجع البوابة الضريبية الوطنية: هل هذه الخدمة معيَّنة مزوّد خدمة للمنشأة، وهل هذا عنوانها المسجَّل؟ بعد ذلك اطلب رابطًا آخر.
onboard-confirm-title = المتابعة مع منشأتك
onboard-confirm-intro = لقد فتحت الرابط من رسالتنا. اضغط الزر لعرض بيانات المنشأة.
onboard-confirm-button = متابعة
onboard-details-title = هل هذه البيانات صحيحة؟
onboard-details-intro = هذه بيانات منشأتك في البوابة الضريبية الوطنية، وستظهر على فواتيرها.
onboard-details-changed = لدى البوابة الضريبية الوطنية الآن بيانات غير التي أكدتها. راجعها من جديد.
onboard-details-button = البيانات صحيحة: سجّل المنشأة
onboard-details-wrong = هل هناك خطأ؟ صحّحه في البوابة الضريبية الوطنية، ثم
onboard-look-again = تحقق مرة أخرى
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
onboard-progress-text = يستغرق ذلك عادةً أقل من دقيقة. يمكنك إغلاق هذه الصفحة، فالتسجيل يستمر من تلقاء نفسه.
onboard-parked-text = يستغرق الأمر وقتًا أطول من المعتاد، ويتابعه أحد موظفينا. يمكنك إغلاق هذه الصفحة، فالتسجيل يستمر من تلقاء نفسه.
onboard-done-title = تم تسجيل منشأتك
onboard-done-text = يمكنها إرسال الفواتير واستلامها من الآن.
onboard-changed-title = تغيّرت البيانات في هذه الأثناء
onboard-changed-text = لدى البوابة الضريبية الوطنية الآن بيانات أخرى. ابدأ من جديد وأكّدها.
onboard-step-details = تأكيد البيانات
onboard-step-authority = الهيئة الضريبية
onboard-step-network = شبكة الفوترة الإلكترونية
onboard-step-done = تم
onboard-step-waits = قيد التنفيذ
onboard-none-title = تُسجَّل المنشآت هنا بطريقة أخرى
onboard-none-text = يُرجى التوجه إلى الجهة التي تشغّل هذه الخدمة، فهي التي تسجّل المنشآت.
onboard-gone-title = ابدأ من جديد
onboard-gone-text = هذه الصفحة قديمة، أو فُتحت في متصفح غير الذي بدأت فيه.
onboard-appoint-title = لم تعيّننا منشأتك
onboard-appoint-text = سجّل الدخول إلى البوابة الضريبية الوطنية واختر هذه الخدمة مزوّد خدمة معتمدًا للمنشأة، ثم أعد تحميل هذه الصفحة.
onboard-address-title = أصبح العنوان عنوانًا آخر
onboard-address-text = لدى البوابة الضريبية الوطنية عنوان بريد إلكتروني لهذه المنشأة غير الذي جئت به. ابدأ من جديد بذلك العنوان.
onboard-suspended-title = منشأتك موقوفة
onboard-suspended-text = لا يمكنها التصرف في الوقت الحالي. راجع البوابة الضريبية الوطنية أو توجّه إلى الجهة التي تشغّل هذه الخدمة.
onboard-deregistered-title = أُلغي تسجيل منشأتك
onboard-deregistered-text = لم تعد مسجَّلة. إذا كان ذلك خطأً فتوجّه إلى الجهة التي تشغّل هذه الخدمة.
onboard-not-here-title = منشأتك ليست هنا بعد؟
onboard-not-here-text = سجّل منشأتك
account-reverification = يجب تأكيد بيانات منشأتك من جديد قبل أن يتمكن أحد من التصرف نيابةً عنها.
account-onboarding = لا يزال تسجيل منشأتك جاريًا: لا يمكن لأحد التصرف نيابةً عنها بعد.
account-confirm = أكّدها الآن

# What went wrong
error-not-found-title = هذه الصفحة غير موجودة
error-not-found-text = تأكد من العنوان، أو ابدأ من جديد.
error-method-title = لا يمكن لهذه الصفحة تنفيذ ذلك
error-method-text = عُد إلى الصفحة السابقة وحاول مرة أخرى.
error-form-title = لم نتمكن من قراءة ما أرسلته
error-form-text = عُد إلى النموذج وأرسله مرة أخرى.
error-large-title = البيانات أكبر من المسموح
error-large-text = ما أرسلته أكبر مما يتسع له النموذج.
error-forged-title = لم ننفذ هذا الطلب
error-forged-text = لم يأتِ ما أرسلته من صفحة عرضناها في هذا المتصفح، أو أن تلك الصفحة قديمة. عُد وأعد تحميل الصفحة ثم أرسل مرة أخرى.
error-often-title = محاولات كثيرة
error-often-text = للمحافظة على أمان حسابك نسمح بعدد محدود من المحاولات خلال مدة قصيرة.
error-down-title = لا يمكننا تنفيذ ذلك الآن
error-down-text = يتعذر الوصول إلى جزء من خدمتنا. حاول مرة أخرى بعد دقيقة.
error-ours-title = حدث خطأ من جانبنا
error-ours-text = نعتذر عن ذلك. حاول مرة أخرى، وإذا تكرر الأمر فأبلغنا بالرقم أدناه.
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
mail-sign-in-limits = يعمل الرابط مرة واحدة ولمدة { $minutes ->
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $minutes } دقائق
   *[other] { $minutes } دقيقة
}.
mail-sign-in-not-you = إذا لم تكن أنت، فلا تفعل شيئًا: لا يمكن لأحد تسجيل الدخول دون هذا الرابط. لن نطلب منك أبدًا إرساله إلينا أو إلى أي أحد.
mail-access-ended-subject = أُنهيت مفاتيح أحد التطبيقات
mail-access-ended-text = استخدم التطبيق { $application } مفتاحًا لبيانات { $business } سبق استخدامه. ربما حصل عليه شخص آخر.
mail-access-ended-now = أنهينا فورًا المفاتيح التي منحها هذا الربط للتطبيق، فلا يستطيع أحد استخدامها بعد الآن. يبقى الربط نفسه قائمًا حتى تنهيه: فالمفاتيح الخاصة بمالكه لا تزال تعمل.
mail-access-ended-look = إذا كنت لا تزال تريد استخدام التطبيق، فأعد ربطه من خلاله. هنا ترى روابطك ويمكنك إنهاء هذا الربط:
mail-notices-moved-subject = تغيّر عنوان الإشعارات
mail-notices-moved-text = غيّر شخص سجّل الدخول باسم { $business } العنوان الذي تصل إليه إشعاراتنا بشأن هذه المنشأة.
mail-notices-moved-still = تصلك هذه الرسالة على العنوان المسجَّل للمنشأة، أو على عنوان الإشعارات السابق. تصل الإشعارات الأمنية إلى العنوان المسجَّل أيضًا كما كانت.
mail-notices-moved-look = إذا لم تكن أنت أو أحد زملائك، فسجّل الدخول وصحّح العنوان وأنهِ الجلسات التي لا تعرفها:
mail-onboard-subject = متابعة تسجيل منشأتك
mail-onboard-text = يريد شخص ما تسجيل منشأتك في خدمة الفوترة الإلكترونية، وقد ذكر عنوان البريد الإلكتروني هذا. إذا كنت أنت، فافتح هذا الرابط في المتصفح نفسه:
mail-onboard-button = متابعة
mail-onboard-not-you = إذا لم تكن أنت، فلا تفعل شيئًا: لا يمكن لأحد المتابعة دون هذا الرابط. لن نطلب منك أبدًا إرساله إلينا أو إلى أي أحد.

# The house of the portal
switch-to-live = الانتقال إلى البيئة الفعلية
switch-to-sandbox = الانتقال إلى البيئة التجريبية
nav-menu = القائمة
nav-label = أقسام البوابة
nav-account = نظرة عامة
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
documents-none-text = تظهر هنا الفواتير وإشعارات الدائن التي تُرسل باسم منشأتك أو إليها.
documents-not-found = لا توجد نتائج
documents-not-found-text = لا يوجد مستند يطابق بحثك. جرّب شروطًا أقل.
documents-further = لا شيء في هذه الصفحة. يستمر البحث في المستندات الأقدم.
filter-all = الكل
filter-issued-from = صادر من
filter-issued-to = صادر حتى
filter-created-from = أُنشئ أو استُلم من يوم
filter-created-to = أُنشئ أو استُلم إلى يوم
filter-button = بحث
filter-clear = مسح
filter-wrong = تتعذر قراءة أحد الشروط. صحّحه وابحث مرة أخرى.
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
fact-source-id = معرّفك الخاص
fact-document-id = المعرّف لدينا
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
status-forwarded = تم التمرير
status-received = مستلم
status-rejected = مرفوض
status-unknown = حالة أخرى
report-open = قيد الإبلاغ
report-due = بانتظار الإبلاغ
report-filing = قيد الإرسال
report-submitted = بانتظار الرد
report-overdue = الرد متأخر
report-reported = تم الإبلاغ
report-not-compliant = غير مطابق
report-failed = فشل الإبلاغ
report-kind-submit = أُعدّ التقرير إلى الهيئة الضريبية
report-kind-resubmit = أُعيد إعداد التقرير إلى الهيئة الضريبية
report-kind-withdraw = أُعدّ سحب التقرير
report-kind-failed = أُعدّ تقرير عن مستند غير صالح
attempt-open = لا رد بعد
attempt-received = تم الاستلام مع إثبات
attempt-not-registered = المستلم غير مسجَّل
attempt-not-capable = المستلم لا يقبل مثل هذه المستندات
attempt-defective = تسجيل المستلم غير صحيح
attempt-lookup-failed = تعذر البحث عن المستلم
attempt-held = قيد الانتظار: تعذر الوصول إلى نقطة وصول المستلم مرارًا، أو لا سعة لديها الآن
attempt-unreachable = تعذر الوصول إلى نقطة وصول المستلم
attempt-unconfirmed = أُرسل دون إثبات الوصول
attempt-deferred = أجّلته نقطة وصول المستلم
attempt-duplicate = لدى نقطة وصول المستلم نسخة منه
attempt-refused = رفضته نقطة وصول المستلم
event-accepted = قُبل للإرسال
event-received = ورد من نقطة وصول أو منشأة أخرى
event-state = الحالة
event-attempt = محاولة إرسال
event-mls = تقول نقطة وصول المستلم
event-answer-attempt = محاولة إرسال حالتنا
event-answer = حالتنا إلى نقطة وصول المرسل
answer-waiting = بانتظار جلب المستند
answer-answering = قيد الإرسال
answer-undeliverable = لا تستقبل الحالات
answer-not-owed = لا تُطلب حالة
event-report-attempt = محاولة تسليم التقرير
event-report-state = التقرير إلى الهيئة الضريبية
event-verdict = تقول الهيئة الضريبية
event-told = أُبلغت مؤسستك
document-title = المستند
document-amounts = المبالغ
document-files = الملفات
document-findings = ما تم العثور عليه
document-timeline = ما حدث
document-details = التفاصيل
document-identifiers = المعرّفات
document-credits = يقيّد لصالح
document-corrects = يصحّح
document-corrected-by = صُحّح بواسطة
download-view = القراءة والطباعة
download-pdf = PDF
limit-bytes-title = هذا المستند أكبر من أن يُعرض
limit-bytes-text = حجم المستند أكبر من 10,485,760 بايت. نزّل ملف UBL، ففيه المستند كاملًا.
limit-pdf-title = لا يوجد ملف PDF لهذا المستند
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
finding-place = الموضع في UBL
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

# The account's further rooms
nav-business = المنشأة
archives-title = الأرشيف
archives-intro = جميع مستندات فترة ما في ملف واحد، مع ما آلت إليه وما يثبت ذلك: لملفاتك أو لمحاسبك أو للتدقيق.
archives-make-title = إنشاء أرشيف
archives-hint = المستندات المرسلة والمستلمة بحسب تواريخ إصدارها، حتى { $most } مستند ونحو 10 غيغابايت في الأرشيف الواحد. كل ملف فيه مدرج مع بصمة SHA-256.
archives-make = إنشاء الأرشيف
archives-begun = يجري إنشاء الأرشيف. يمكنك مغادرة هذه الصفحة.
archives-no-day = أدخل يومًا مثل 2026-01-31.
archives-ends-before = أدخل يومًا لا يسبق اليوم الأول.
archives-none = لا توجد أرشيفات
archives-none-text = يمكن تنزيل الأرشيف لمدة 7 أيام بعد إنشائه.
archives-period = تاريخ الإصدار
archives-asked = وقت الطلب
archives-file = الملف
archives-download = تنزيل
archives-until = حتى
archives-running = قيد الإنشاء
archives-failed = توقّف بسبب عطل في الخدمة: اطلب أرشيفًا آخر.
archives-too-large = أكثر من { $most } مستند أو نحو 10 غيغابايت: اختر فترات أقصر.
nav-settings = الإعدادات
settings-title = الإعدادات
settings-language = لغة مراسلاتنا إليك
settings-language-hint = تُختار لغة هذه الصفحات في الأعلى لهذا المتصفح.
settings-language-wrong = اختر الإنجليزية أو العربية.
settings-email = عنوان البريد الإلكتروني للإشعارات
settings-email-hint = اتركه فارغًا لتلقي الإشعارات على العنوان المسجَّل للمنشأة وحده. تصل الإشعارات الأمنية دائمًا إلى العنوان المسجَّل أيضًا. عند تغيير هذا العنوان نُبلغ العنوان المسجَّل والعنوان السابق.
settings-save = حفظ
settings-saved = تم الحفظ. وأُبلغت التطبيقات المرتبطة بمنشأتك.
business-title = منشأتك
business-details = البيانات
business-details-hint = تظهر على فواتيرك. مصدرها الجهة المسجَّلة لديها منشأتك، وتُصحَّح هناك.
business-registers = السجلات
business-registers-sandbox = في البيئة التجريبية لا يُبلَّغ أي سجل عن منشأتك.
standing-onboarding = قيد التسجيل
standing-active = نشطة
standing-reverification = بانتظار تأكيد جديد
standing-suspended = موقوفة
standing-deregistered = ملغاة التسجيل
register-network = شبكة الفوترة الإلكترونية
register-directory = دليل Peppol
registration-none = غير مسجَّلة
registration-registering = قيد التسجيل
registration-registered = مسجَّلة
registration-leaving = قيد الانتقال إلى مزوّد آخر
registration-withdrawing = قيد الإلغاء
account-steps = انظر إلى أين وصلت
steps-title = مسار منشأتك
steps-verified = تعيين هذه الخدمة في البوابة الضريبية الوطنية والتحقق من بريدك الإلكتروني
steps-confirmed = تأكيد البيانات
steps-authority = إبلاغ الهيئة الضريبية
steps-network = الظهور في شبكة الفوترة الإلكترونية (SMP وSML)
steps-active = نشطة: يمكن للتطبيقات المرتبطة التصرف نيابةً عنها
steps-directory = الظهور في دليل Peppol
steps-done = تم
steps-waits-for-business = بانتظارك
steps-waits-for-service = قيد التنفيذ تلقائيًا
steps-waits-for-operator = بانتظار الجهة التي تشغّل هذه الخدمة
steps-later = لاحقًا
steps-open = اختياري
steps-ended = انتهى
card-title = بطاقة الأعمال
card-none = ليس لمنشأتك بطاقة أعمال بعد. اكتب واحدة هنا، أو دع تطبيقًا ربطته يكتبها.
card-hint = هذا ما يعرضه دليل Peppol عن منشأتك ما دامت مدرجة فيه.
card-country = البلد
card-place = المكان
card-website = الموقع الإلكتروني
card-contact = جهة الاتصال
card-further = معلومات أخرى
listing-begin = إظهارها في دليل Peppol
listing-end = إزالتها من دليل Peppol
listing-inactive-title = منشأتك غير نشطة
listing-inactive-text = لا يمكن إظهار منشأة في الدليل أو إزالتها إلا إذا كانت نشطة. لم يتغير شيء.
card-write = كتابة بطاقة أعمال
card-change = تغيير بطاقة الأعمال
card-saved = تم حفظ بطاقة الأعمال. ويُبلَّغ الدليل إن كان يعرضها.
card-country-code = البلد (حرفان لاتينيان، مثل AE)
card-names = الأسماء
card-names-hint = اسم واحد على الأقل. اترك الأسطر التي لا تحتاج إليها فارغة.
card-name = الاسم { $n }
card-language = لغة الاسم { $n } (حرفان لاتينيان، مثل ar؛ اختياري)
card-identifiers = المعرّفات
card-identifiers-hint = ما تُعرف به منشأتك أيضًا، مثل الرخصة التجارية.
card-scheme = نوع المعرّف { $n }
card-value = المعرّف { $n }
card-contacts = جهات الاتصال
card-contacts-hint = من يُسأل. يمكن للجميع قراءة ذلك في الدليل.
card-contact-type = غرض جهة الاتصال { $n }
card-contact-name = اسم جهة الاتصال { $n }
card-phone = هاتف جهة الاتصال { $n }
card-email = بريد جهة الاتصال { $n }
card-websites = المواقع الإلكترونية
card-websites-hint = يبدأ كل منها بـ https:// أو http://.
card-website-of = الموقع الإلكتروني { $n }
card-has-more = كتب تطبيق أكثر مما يعرضه هذا النموذج، ويبقى ذلك كما هو.
card-wrong-country = أدخل رمز بلد من حرفين لاتينيين كبيرين، مثل AE.
card-wrong-language = أدخل رمز لغة من حرفين لاتينيين صغيرين، مثل ar، أو لا تدخل شيئًا.
card-wrong-no-name = أدخل اسمًا.
card-wrong-website = أدخل عنوانًا يبدأ بـ https:// أو http:// وليس فيه مسافات.
card-wrong-email = أدخل عنوان بريد إلكتروني، مثل sales@example.com.
card-wrong-character = يحتوي هذا النص على حرف غير مرئي. أدخل النص من جديد.
card-wrong-large = نص البطاقة كلها أكبر مما يُسمح به. أضافت تطبيقات منشآت أخرى إليها: اختصر نصوصها أولًا.
card-wrong-half = املأ هذا الحقل أيضًا، أو اترك السطر كله فارغًا.
card-wrong-long = هذا طويل جدًا: الحد الأقصى 500 حرف.
card-changed-title = تغيّرت بطاقة الأعمال في هذه الأثناء
card-changed-text = غيّرها تطبيق أو شخص آخر في منشأتك بينما كنت تغيّرها. لم يُحفظ شيء مما أدخلته. عُد إلى صفحة منشأتك وانظر إليها من جديد.
card-inactive-text = لا يمكن تغيير بطاقة الأعمال إلا لمنشأة نشطة. لم يتغير شيء.


# مستند كما يقرؤه الناس
view-invoice = فاتورة
view-credit-note = إشعار دائن
view-document = المستند
view-references = المراجع
view-others = أطراف أخرى والتسليم
view-lines = البنود
view-allowances = الخصومات والرسوم
view-payment = الدفع
view-findings = ما وُجد فيه
view-bytes = بايت
view-unplaced = موجود أيضًا في الملف
view-unplaced-text = قيم ليست من مصطلحات الأعمال في PINT-AE، مع مواضعها.
view-legal = هذا عرض لفاتورة إلكترونية مهيكلة. ملف XML هو الفاتورة نفسها.
