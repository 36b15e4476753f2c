/* puppeteer.mjs - the driver of the browser's test: puppeteer-core as bundle.mjs bundles it. The licences are
 * at its end. Made, not written. */
var __defProp=Object.defineProperty;var __getOwnPropNames=Object.getOwnPropertyNames;var __esm=(fn,res,err)=>function(){if(err)throw err[0];try{return fn&&(res=(0,fn[__getOwnPropNames(fn)[0]])(fn=
0)),res}catch(e){throw err=[e],e}};var __export=(target,all)=>{for(var name in all)__defProp(target,name,{get:all[name],enumerable:!0})};var debug_exports={};__export(debug_exports,{_connectToBiDiBrowser:()=>_connectToBiDiBrowser,default:()=>debug_default});
var _connectToBiDiBrowser,debug_default,init_debug=__esm({"left-out:debug"(){_connectToBiDiBrowser=null,debug_default=
()=>()=>{}}});var NodeWebSocketTransport_exports={};__export(NodeWebSocketTransport_exports,{_connectToBiDiBrowser:()=>_connectToBiDiBrowser2,
default:()=>NodeWebSocketTransport_default});var _connectToBiDiBrowser2,NodeWebSocketTransport_default,init_NodeWebSocketTransport=__esm(
{"left-out:../node/NodeWebSocketTransport.js"(){_connectToBiDiBrowser2=null,NodeWebSocketTransport_default=()=>()=>{}}});var BrowserWebSocketTransport_exports={};__export(BrowserWebSocketTransport_exports,{_connectToBiDiBrowser:()=>_connectToBiDiBrowser3,
default:()=>BrowserWebSocketTransport_default});var _connectToBiDiBrowser3,BrowserWebSocketTransport_default,init_BrowserWebSocketTransport=__esm(
{"left-out:../common/BrowserWebSocketTransport.js"(){_connectToBiDiBrowser3=null,BrowserWebSocketTransport_default=
()=>()=>{}}});var browsers_exports={};__export(browsers_exports,{_connectToBiDiBrowser:()=>_connectToBiDiBrowser4,default:()=>browsers_default});
var _connectToBiDiBrowser4,browsers_default,init_browsers=__esm({"left-out:@puppeteer/browsers"(){_connectToBiDiBrowser4=
null,browsers_default=()=>()=>{}}});var LaunchOptions_exports={};__export(LaunchOptions_exports,{_connectToBiDiBrowser:()=>_connectToBiDiBrowser5,
default:()=>LaunchOptions_default});var _connectToBiDiBrowser5,LaunchOptions_default,init_LaunchOptions=__esm(
{"left-out:../node/LaunchOptions.js"(){_connectToBiDiBrowser5=null,LaunchOptions_default=()=>()=>{}}});var extendStatics=function(d,b2){return extendStatics=Object.setPrototypeOf||{__proto__:[]}instanceof Array&&function(d2,b22){
d2.__proto__=b22}||function(d2,b22){for(var p in b22)Object.prototype.hasOwnProperty.call(b22,p)&&(d2[p]=b22[p])},
extendStatics(d,b2)};function __extends(d,b2){if(typeof b2!="function"&&b2!==null)throw new TypeError("Class e\
xtends value "+String(b2)+" is not a constructor or null");extendStatics(d,b2);function __(){this.constructor=
d}d.prototype=b2===null?Object.create(b2):(__.prototype=b2.prototype,new __)}function __awaiter(thisArg,_arguments,P2,generator){
function adopt(value){return value instanceof P2?value:new P2(function(resolve){resolve(value)})}return new(P2||
(P2=Promise))(function(resolve,reject){function fulfilled(value){try{step(generator.next(value))}catch(e){reject(
e)}}function rejected(value){try{step(generator.throw(value))}catch(e){reject(e)}}function step(result){result.
done?resolve(result.value):adopt(result.value).then(fulfilled,rejected)}step((generator=generator.apply(thisArg,
_arguments||[])).next())})}function __generator(thisArg,body){var _2={label:0,sent:function(){if(t[0]&1)throw t[1];
return t[1]},trys:[],ops:[]},f,y,t,g=Object.create((typeof Iterator=="function"?Iterator:Object).prototype);return g.
next=verb(0),g.throw=verb(1),g.return=verb(2),typeof Symbol=="function"&&(g[Symbol.iterator]=function(){return this}),
g;function verb(n){return function(v2){return step([n,v2])}}function step(op){if(f)throw new TypeError("Genera\
tor is already executing.");for(;g&&(g=0,op[0]&&(_2=0)),_2;)try{if(f=1,y&&(t=op[0]&2?y.return:op[0]?y.throw||((t=
y.return)&&t.call(y),0):y.next)&&!(t=t.call(y,op[1])).done)return t;switch(y=0,t&&(op=[op[0]&2,t.value]),op[0]){case 0:case 1:
t=op;break;case 4:return _2.label++,{value:op[1],done:!1};case 5:_2.label++,y=op[1],op=[0];continue;case 7:op=
_2.ops.pop(),_2.trys.pop();continue;default:if(t=_2.trys,!(t=t.length>0&&t[t.length-1])&&(op[0]===6||op[0]===2)){
_2=0;continue}if(op[0]===3&&(!t||op[1]>t[0]&&op[1]<t[3])){_2.label=op[1];break}if(op[0]===6&&_2.label<t[1]){_2.
label=t[1],t=op;break}if(t&&_2.label<t[2]){_2.label=t[2],_2.ops.push(op);break}t[2]&&_2.ops.pop(),_2.trys.pop();
continue}op=body.call(thisArg,_2)}catch(e){op=[6,e],y=0}finally{f=t=0}if(op[0]&5)throw op[1];return{value:op[0]?
op[1]:void 0,done:!0}}}function __values(o){var s=typeof Symbol=="function"&&Symbol.iterator,m=s&&o[s],i=0;if(m)
return m.call(o);if(o&&typeof o.length=="number")return{next:function(){return o&&i>=o.length&&(o=void 0),{value:o&&
o[i++],done:!o}}};throw new TypeError(s?"Object is not iterable.":"Symbol.iterator is not defined.")}function __read(o,n){
var m=typeof Symbol=="function"&&o[Symbol.iterator];if(!m)return o;var i=m.call(o),r,ar=[],e;try{for(;(n===void 0||
n-- >0)&&!(r=i.next()).done;)ar.push(r.value)}catch(error){e={error}}finally{try{r&&!r.done&&(m=i.return)&&m.call(
i)}finally{if(e)throw e.error}}return ar}function __spreadArray(to,from2,pack){if(pack||arguments.length===2)for(var i=0,
l=from2.length,ar;i<l;i++)(ar||!(i in from2))&&(ar||(ar=Array.prototype.slice.call(from2,0,i)),ar[i]=from2[i]);
return to.concat(ar||Array.prototype.slice.call(from2))}function __await(v2){return this instanceof __await?(this.
v=v2,this):new __await(v2)}function __asyncGenerator(thisArg,_arguments,generator){if(!Symbol.asyncIterator)throw new TypeError(
"Symbol.asyncIterator is not defined.");var g=generator.apply(thisArg,_arguments||[]),i,q2=[];return i=Object.
create((typeof AsyncIterator=="function"?AsyncIterator:Object).prototype),verb("next"),verb("throw"),verb("ret\
urn",awaitReturn),i[Symbol.asyncIterator]=function(){return this},i;function awaitReturn(f){return function(v2){
return Promise.resolve(v2).then(f,reject)}}function verb(n,f){g[n]&&(i[n]=function(v2){return new Promise(function(a2,b2){
q2.push([n,v2,a2,b2])>1||resume(n,v2)})},f&&(i[n]=f(i[n])))}function resume(n,v2){try{step(g[n](v2))}catch(e){
settle(q2[0][3],e)}}function step(r){r.value instanceof __await?Promise.resolve(r.value.v).then(fulfill,reject):
settle(q2[0][2],r)}function fulfill(value){resume("next",value)}function reject(value){resume("throw",value)}function settle(f,v2){
f(v2),q2.shift(),q2.length&&resume(q2[0][0],q2[0][1])}}function __asyncValues(o){if(!Symbol.asyncIterator)throw new TypeError(
"Symbol.asyncIterator is not defined.");var m=o[Symbol.asyncIterator],i;return m?m.call(o):(o=typeof __values==
"function"?__values(o):o[Symbol.iterator](),i={},verb("next"),verb("throw"),verb("return"),i[Symbol.asyncIterator]=
function(){return this},i);function verb(n){i[n]=o[n]&&function(v2){return new Promise(function(resolve,reject){
v2=o[n](v2),settle(resolve,reject,v2.done,v2.value)})}}function settle(resolve,reject,d,v2){Promise.resolve(v2).
then(function(v22){resolve({value:v22,done:d})},reject)}}function isFunction(value){return typeof value=="func\
tion"}function createErrorClass(createImpl){var _super=function(instance){Error.call(instance),instance.stack=
new Error().stack},ctorFunc=createImpl(_super);return ctorFunc.prototype=Object.create(Error.prototype),ctorFunc.
prototype.constructor=ctorFunc,ctorFunc}var UnsubscriptionError=createErrorClass(function(_super){return function(errors){
_super(this),this.message=errors?errors.length+` errors occurred during unsubscription:
`+errors.map(function(err,i){return i+1+") "+err.toString()}).join(`
  `):"",this.name="UnsubscriptionError",this.errors=errors}});function arrRemove(arr,item){if(arr){var index=arr.
indexOf(item);0<=index&&arr.splice(index,1)}}var Subscription=(function(){function Subscription2(initialTeardown){
this.initialTeardown=initialTeardown,this.closed=!1,this._parentage=null,this._finalizers=null}return Subscription2.
prototype.unsubscribe=function(){var e_1,_a,e_2,_b,errors;if(!this.closed){this.closed=!0;var _parentage=this.
_parentage;if(_parentage)if(this._parentage=null,Array.isArray(_parentage))try{for(var _parentage_1=__values(_parentage),
_parentage_1_1=_parentage_1.next();!_parentage_1_1.done;_parentage_1_1=_parentage_1.next()){var parent_1=_parentage_1_1.
value;parent_1.remove(this)}}catch(e_1_1){e_1={error:e_1_1}}finally{try{_parentage_1_1&&!_parentage_1_1.done&&
(_a=_parentage_1.return)&&_a.call(_parentage_1)}finally{if(e_1)throw e_1.error}}else _parentage.remove(this);var initialFinalizer=this.
initialTeardown;if(isFunction(initialFinalizer))try{initialFinalizer()}catch(e){errors=e instanceof UnsubscriptionError?
e.errors:[e]}var _finalizers=this._finalizers;if(_finalizers){this._finalizers=null;try{for(var _finalizers_1=__values(
_finalizers),_finalizers_1_1=_finalizers_1.next();!_finalizers_1_1.done;_finalizers_1_1=_finalizers_1.next()){
var finalizer=_finalizers_1_1.value;try{execFinalizer(finalizer)}catch(err){errors=errors??[],err instanceof UnsubscriptionError?
errors=__spreadArray(__spreadArray([],__read(errors)),__read(err.errors)):errors.push(err)}}}catch(e_2_1){e_2=
{error:e_2_1}}finally{try{_finalizers_1_1&&!_finalizers_1_1.done&&(_b=_finalizers_1.return)&&_b.call(_finalizers_1)}finally{
if(e_2)throw e_2.error}}}if(errors)throw new UnsubscriptionError(errors)}},Subscription2.prototype.add=function(teardown){
var _a;if(teardown&&teardown!==this)if(this.closed)execFinalizer(teardown);else{if(teardown instanceof Subscription2){
if(teardown.closed||teardown._hasParent(this))return;teardown._addParent(this)}(this._finalizers=(_a=this._finalizers)!==
null&&_a!==void 0?_a:[]).push(teardown)}},Subscription2.prototype._hasParent=function(parent){var _parentage=this.
_parentage;return _parentage===parent||Array.isArray(_parentage)&&_parentage.includes(parent)},Subscription2.prototype.
_addParent=function(parent){var _parentage=this._parentage;this._parentage=Array.isArray(_parentage)?(_parentage.
push(parent),_parentage):_parentage?[_parentage,parent]:parent},Subscription2.prototype._removeParent=function(parent){
var _parentage=this._parentage;_parentage===parent?this._parentage=null:Array.isArray(_parentage)&&arrRemove(_parentage,
parent)},Subscription2.prototype.remove=function(teardown){var _finalizers=this._finalizers;_finalizers&&arrRemove(
_finalizers,teardown),teardown instanceof Subscription2&&teardown._removeParent(this)},Subscription2.EMPTY=(function(){
var empty=new Subscription2;return empty.closed=!0,empty})(),Subscription2})(),EMPTY_SUBSCRIPTION=Subscription.
EMPTY;function isSubscription(value){return value instanceof Subscription||value&&"closed"in value&&isFunction(
value.remove)&&isFunction(value.add)&&isFunction(value.unsubscribe)}function execFinalizer(finalizer){isFunction(
finalizer)?finalizer():finalizer.unsubscribe()}var config={onUnhandledError:null,onStoppedNotification:null,Promise:void 0,
useDeprecatedSynchronousErrorHandling:!1,useDeprecatedNextContext:!1},timeoutProvider={setTimeout:function(handler,timeout2){
for(var args=[],_i=2;_i<arguments.length;_i++)args[_i-2]=arguments[_i];var delegate=timeoutProvider.delegate;return delegate?.
setTimeout?delegate.setTimeout.apply(delegate,__spreadArray([handler,timeout2],__read(args))):setTimeout.apply(
void 0,__spreadArray([handler,timeout2],__read(args)))},clearTimeout:function(handle){var delegate=timeoutProvider.
delegate;return(delegate?.clearTimeout||clearTimeout)(handle)},delegate:void 0};function reportUnhandledError(err){
timeoutProvider.setTimeout(function(){var onUnhandledError=config.onUnhandledError;if(onUnhandledError)onUnhandledError(
err);else throw err})}function noop(){}var COMPLETE_NOTIFICATION=(function(){return createNotification("C",void 0,
void 0)})();function errorNotification(error){return createNotification("E",void 0,error)}function nextNotification(value){
return createNotification("N",value,void 0)}function createNotification(kind,value,error){return{kind,value,error}}
var context=null;function errorContext(cb){if(config.useDeprecatedSynchronousErrorHandling){var isRoot=!context;
if(isRoot&&(context={errorThrown:!1,error:null}),cb(),isRoot){var _a=context,errorThrown=_a.errorThrown,error=_a.
error;if(context=null,errorThrown)throw error}}else cb()}function captureError(err){config.useDeprecatedSynchronousErrorHandling&&
context&&(context.errorThrown=!0,context.error=err)}var Subscriber=(function(_super){__extends(Subscriber2,_super);
function Subscriber2(destination){var _this=_super.call(this)||this;return _this.isStopped=!1,destination?(_this.
destination=destination,isSubscription(destination)&&destination.add(_this)):_this.destination=EMPTY_OBSERVER,
_this}return Subscriber2.create=function(next,error,complete){return new SafeSubscriber(next,error,complete)},
Subscriber2.prototype.next=function(value){this.isStopped?handleStoppedNotification(nextNotification(value),this):
this._next(value)},Subscriber2.prototype.error=function(err){this.isStopped?handleStoppedNotification(errorNotification(
err),this):(this.isStopped=!0,this._error(err))},Subscriber2.prototype.complete=function(){this.isStopped?handleStoppedNotification(
COMPLETE_NOTIFICATION,this):(this.isStopped=!0,this._complete())},Subscriber2.prototype.unsubscribe=function(){
this.closed||(this.isStopped=!0,_super.prototype.unsubscribe.call(this),this.destination=null)},Subscriber2.prototype.
_next=function(value){this.destination.next(value)},Subscriber2.prototype._error=function(err){try{this.destination.
error(err)}finally{this.unsubscribe()}},Subscriber2.prototype._complete=function(){try{this.destination.complete()}finally{
this.unsubscribe()}},Subscriber2})(Subscription),_bind=Function.prototype.bind;function bind(fn,thisArg){return _bind.
call(fn,thisArg)}var ConsumerObserver=(function(){function ConsumerObserver2(partialObserver){this.partialObserver=
partialObserver}return ConsumerObserver2.prototype.next=function(value){var partialObserver=this.partialObserver;
if(partialObserver.next)try{partialObserver.next(value)}catch(error){handleUnhandledError(error)}},ConsumerObserver2.
prototype.error=function(err){var partialObserver=this.partialObserver;if(partialObserver.error)try{partialObserver.
error(err)}catch(error){handleUnhandledError(error)}else handleUnhandledError(err)},ConsumerObserver2.prototype.
complete=function(){var partialObserver=this.partialObserver;if(partialObserver.complete)try{partialObserver.complete()}catch(error){
handleUnhandledError(error)}},ConsumerObserver2})(),SafeSubscriber=(function(_super){__extends(SafeSubscriber2,
_super);function SafeSubscriber2(observerOrNext,error,complete){var _this=_super.call(this)||this,partialObserver;
if(isFunction(observerOrNext)||!observerOrNext)partialObserver={next:observerOrNext??void 0,error:error??void 0,
complete:complete??void 0};else{var context_1;_this&&config.useDeprecatedNextContext?(context_1=Object.create(
observerOrNext),context_1.unsubscribe=function(){return _this.unsubscribe()},partialObserver={next:observerOrNext.
next&&bind(observerOrNext.next,context_1),error:observerOrNext.error&&bind(observerOrNext.error,context_1),complete:observerOrNext.
complete&&bind(observerOrNext.complete,context_1)}):partialObserver=observerOrNext}return _this.destination=new ConsumerObserver(
partialObserver),_this}return SafeSubscriber2})(Subscriber);function handleUnhandledError(error){config.useDeprecatedSynchronousErrorHandling?
captureError(error):reportUnhandledError(error)}function defaultErrorHandler(err){throw err}function handleStoppedNotification(notification,subscriber){
var onStoppedNotification=config.onStoppedNotification;onStoppedNotification&&timeoutProvider.setTimeout(function(){
return onStoppedNotification(notification,subscriber)})}var EMPTY_OBSERVER={closed:!0,next:noop,error:defaultErrorHandler,
complete:noop},observable=(function(){return typeof Symbol=="function"&&Symbol.observable||"@@observable"})();
function identity(x2){return x2}function pipe(){for(var fns=[],_i=0;_i<arguments.length;_i++)fns[_i]=arguments[_i];
return pipeFromArray(fns)}function pipeFromArray(fns){return fns.length===0?identity:fns.length===1?fns[0]:function(input){
return fns.reduce(function(prev,fn){return fn(prev)},input)}}var Observable=(function(){function Observable2(subscribe){
subscribe&&(this._subscribe=subscribe)}return Observable2.prototype.lift=function(operator){var observable2=new Observable2;
return observable2.source=this,observable2.operator=operator,observable2},Observable2.prototype.subscribe=function(observerOrNext,error,complete){
var _this=this,subscriber=isSubscriber(observerOrNext)?observerOrNext:new SafeSubscriber(observerOrNext,error,
complete);return errorContext(function(){var _a=_this,operator=_a.operator,source2=_a.source;subscriber.add(operator?
operator.call(subscriber,source2):source2?_this._subscribe(subscriber):_this._trySubscribe(subscriber))}),subscriber},
Observable2.prototype._trySubscribe=function(sink){try{return this._subscribe(sink)}catch(err){sink.error(err)}},
Observable2.prototype.forEach=function(next,promiseCtor){var _this=this;return promiseCtor=getPromiseCtor(promiseCtor),
new promiseCtor(function(resolve,reject){var subscriber=new SafeSubscriber({next:function(value){try{next(value)}catch(err){
reject(err),subscriber.unsubscribe()}},error:reject,complete:resolve});_this.subscribe(subscriber)})},Observable2.
prototype._subscribe=function(subscriber){var _a;return(_a=this.source)===null||_a===void 0?void 0:_a.subscribe(
subscriber)},Observable2.prototype[observable]=function(){return this},Observable2.prototype.pipe=function(){for(var operations=[],
_i=0;_i<arguments.length;_i++)operations[_i]=arguments[_i];return pipeFromArray(operations)(this)},Observable2.
prototype.toPromise=function(promiseCtor){var _this=this;return promiseCtor=getPromiseCtor(promiseCtor),new promiseCtor(
function(resolve,reject){var value;_this.subscribe(function(x2){return value=x2},function(err){return reject(err)},
function(){return resolve(value)})})},Observable2.create=function(subscribe){return new Observable2(subscribe)},
Observable2})();function getPromiseCtor(promiseCtor){var _a;return(_a=promiseCtor??config.Promise)!==null&&_a!==
void 0?_a:Promise}function isObserver(value){return value&&isFunction(value.next)&&isFunction(value.error)&&isFunction(
value.complete)}function isSubscriber(value){return value&&value instanceof Subscriber||isObserver(value)&&isSubscription(
value)}function hasLift(source2){return isFunction(source2?.lift)}function operate(init){return function(source2){
if(hasLift(source2))return source2.lift(function(liftedSource){try{return init(liftedSource,this)}catch(err){this.
error(err)}});throw new TypeError("Unable to lift unknown Observable type")}}function createOperatorSubscriber(destination,onNext,onComplete,onError,onFinalize){
return new OperatorSubscriber(destination,onNext,onComplete,onError,onFinalize)}var OperatorSubscriber=(function(_super){
__extends(OperatorSubscriber2,_super);function OperatorSubscriber2(destination,onNext,onComplete,onError,onFinalize,shouldUnsubscribe){
var _this=_super.call(this,destination)||this;return _this.onFinalize=onFinalize,_this.shouldUnsubscribe=shouldUnsubscribe,
_this._next=onNext?function(value){try{onNext(value)}catch(err){destination.error(err)}}:_super.prototype._next,
_this._error=onError?function(err){try{onError(err)}catch(err2){destination.error(err2)}finally{this.unsubscribe()}}:
_super.prototype._error,_this._complete=onComplete?function(){try{onComplete()}catch(err){destination.error(err)}finally{
this.unsubscribe()}}:_super.prototype._complete,_this}return OperatorSubscriber2.prototype.unsubscribe=function(){
var _a;if(!this.shouldUnsubscribe||this.shouldUnsubscribe()){var closed_1=this.closed;_super.prototype.unsubscribe.
call(this),!closed_1&&((_a=this.onFinalize)===null||_a===void 0||_a.call(this))}},OperatorSubscriber2})(Subscriber),
ObjectUnsubscribedError=createErrorClass(function(_super){return function(){_super(this),this.name="ObjectUnsu\
bscribedError",this.message="object unsubscribed"}}),Subject=(function(_super){__extends(Subject2,_super);function Subject2(){
var _this=_super.call(this)||this;return _this.closed=!1,_this.currentObservers=null,_this.observers=[],_this.
isStopped=!1,_this.hasError=!1,_this.thrownError=null,_this}return Subject2.prototype.lift=function(operator){
var subject=new AnonymousSubject(this,this);return subject.operator=operator,subject},Subject2.prototype._throwIfClosed=
function(){if(this.closed)throw new ObjectUnsubscribedError},Subject2.prototype.next=function(value){var _this=this;
errorContext(function(){var e_1,_a;if(_this._throwIfClosed(),!_this.isStopped){_this.currentObservers||(_this.
currentObservers=Array.from(_this.observers));try{for(var _b=__values(_this.currentObservers),_c=_b.next();!_c.
done;_c=_b.next()){var observer=_c.value;observer.next(value)}}catch(e_1_1){e_1={error:e_1_1}}finally{try{_c&&
!_c.done&&(_a=_b.return)&&_a.call(_b)}finally{if(e_1)throw e_1.error}}}})},Subject2.prototype.error=function(err){
var _this=this;errorContext(function(){if(_this._throwIfClosed(),!_this.isStopped){_this.hasError=_this.isStopped=
!0,_this.thrownError=err;for(var observers=_this.observers;observers.length;)observers.shift().error(err)}})},
Subject2.prototype.complete=function(){var _this=this;errorContext(function(){if(_this._throwIfClosed(),!_this.
isStopped){_this.isStopped=!0;for(var observers=_this.observers;observers.length;)observers.shift().complete()}})},
Subject2.prototype.unsubscribe=function(){this.isStopped=this.closed=!0,this.observers=this.currentObservers=null},
Object.defineProperty(Subject2.prototype,"observed",{get:function(){var _a;return((_a=this.observers)===null||
_a===void 0?void 0:_a.length)>0},enumerable:!1,configurable:!0}),Subject2.prototype._trySubscribe=function(subscriber){
return this._throwIfClosed(),_super.prototype._trySubscribe.call(this,subscriber)},Subject2.prototype._subscribe=
function(subscriber){return this._throwIfClosed(),this._checkFinalizedStatuses(subscriber),this._innerSubscribe(
subscriber)},Subject2.prototype._innerSubscribe=function(subscriber){var _this=this,_a=this,hasError=_a.hasError,
isStopped=_a.isStopped,observers=_a.observers;return hasError||isStopped?EMPTY_SUBSCRIPTION:(this.currentObservers=
null,observers.push(subscriber),new Subscription(function(){_this.currentObservers=null,arrRemove(observers,subscriber)}))},
Subject2.prototype._checkFinalizedStatuses=function(subscriber){var _a=this,hasError=_a.hasError,thrownError=_a.
thrownError,isStopped=_a.isStopped;hasError?subscriber.error(thrownError):isStopped&&subscriber.complete()},Subject2.
prototype.asObservable=function(){var observable2=new Observable;return observable2.source=this,observable2},Subject2.
create=function(destination,source2){return new AnonymousSubject(destination,source2)},Subject2})(Observable),
AnonymousSubject=(function(_super){__extends(AnonymousSubject2,_super);function AnonymousSubject2(destination,source2){
var _this=_super.call(this)||this;return _this.destination=destination,_this.source=source2,_this}return AnonymousSubject2.
prototype.next=function(value){var _a,_b;(_b=(_a=this.destination)===null||_a===void 0?void 0:_a.next)===null||
_b===void 0||_b.call(_a,value)},AnonymousSubject2.prototype.error=function(err){var _a,_b;(_b=(_a=this.destination)===
null||_a===void 0?void 0:_a.error)===null||_b===void 0||_b.call(_a,err)},AnonymousSubject2.prototype.complete=
function(){var _a,_b;(_b=(_a=this.destination)===null||_a===void 0?void 0:_a.complete)===null||_b===void 0||_b.
call(_a)},AnonymousSubject2.prototype._subscribe=function(subscriber){var _a,_b;return(_b=(_a=this.source)===null||
_a===void 0?void 0:_a.subscribe(subscriber))!==null&&_b!==void 0?_b:EMPTY_SUBSCRIPTION},AnonymousSubject2})(Subject),
dateTimestampProvider={now:function(){return(dateTimestampProvider.delegate||Date).now()},delegate:void 0},ReplaySubject=(function(_super){
__extends(ReplaySubject2,_super);function ReplaySubject2(_bufferSize,_windowTime,_timestampProvider){_bufferSize===
void 0&&(_bufferSize=1/0),_windowTime===void 0&&(_windowTime=1/0),_timestampProvider===void 0&&(_timestampProvider=
dateTimestampProvider);var _this=_super.call(this)||this;return _this._bufferSize=_bufferSize,_this._windowTime=
_windowTime,_this._timestampProvider=_timestampProvider,_this._buffer=[],_this._infiniteTimeWindow=!0,_this._infiniteTimeWindow=
_windowTime===1/0,_this._bufferSize=Math.max(1,_bufferSize),_this._windowTime=Math.max(1,_windowTime),_this}return ReplaySubject2.
prototype.next=function(value){var _a=this,isStopped=_a.isStopped,_buffer=_a._buffer,_infiniteTimeWindow=_a._infiniteTimeWindow,
_timestampProvider=_a._timestampProvider,_windowTime=_a._windowTime;isStopped||(_buffer.push(value),!_infiniteTimeWindow&&
_buffer.push(_timestampProvider.now()+_windowTime)),this._trimBuffer(),_super.prototype.next.call(this,value)},
ReplaySubject2.prototype._subscribe=function(subscriber){this._throwIfClosed(),this._trimBuffer();for(var subscription=this.
_innerSubscribe(subscriber),_a=this,_infiniteTimeWindow=_a._infiniteTimeWindow,_buffer=_a._buffer,copy=_buffer.
slice(),i=0;i<copy.length&&!subscriber.closed;i+=_infiniteTimeWindow?1:2)subscriber.next(copy[i]);return this.
_checkFinalizedStatuses(subscriber),subscription},ReplaySubject2.prototype._trimBuffer=function(){var _a=this,
_bufferSize=_a._bufferSize,_timestampProvider=_a._timestampProvider,_buffer=_a._buffer,_infiniteTimeWindow=_a.
_infiniteTimeWindow,adjustedBufferSize=(_infiniteTimeWindow?1:2)*_bufferSize;if(_bufferSize<1/0&&adjustedBufferSize<
_buffer.length&&_buffer.splice(0,_buffer.length-adjustedBufferSize),!_infiniteTimeWindow){for(var now=_timestampProvider.
now(),last2=0,i=1;i<_buffer.length&&_buffer[i]<=now;i+=2)last2=i;last2&&_buffer.splice(0,last2+1)}},ReplaySubject2})(
Subject),Action=(function(_super){__extends(Action2,_super);function Action2(scheduler,work){return _super.call(
this)||this}return Action2.prototype.schedule=function(state,delay2){return delay2===void 0&&(delay2=0),this},
Action2})(Subscription),intervalProvider={setInterval:function(handler,timeout2){for(var args=[],_i=2;_i<arguments.
length;_i++)args[_i-2]=arguments[_i];var delegate=intervalProvider.delegate;return delegate?.setInterval?delegate.
setInterval.apply(delegate,__spreadArray([handler,timeout2],__read(args))):setInterval.apply(void 0,__spreadArray(
[handler,timeout2],__read(args)))},clearInterval:function(handle){var delegate=intervalProvider.delegate;return(delegate?.
clearInterval||clearInterval)(handle)},delegate:void 0},AsyncAction=(function(_super){__extends(AsyncAction2,_super);
function AsyncAction2(scheduler,work){var _this=_super.call(this,scheduler,work)||this;return _this.scheduler=
scheduler,_this.work=work,_this.pending=!1,_this}return AsyncAction2.prototype.schedule=function(state,delay2){
var _a;if(delay2===void 0&&(delay2=0),this.closed)return this;this.state=state;var id=this.id,scheduler=this.scheduler;
return id!=null&&(this.id=this.recycleAsyncId(scheduler,id,delay2)),this.pending=!0,this.delay=delay2,this.id=
(_a=this.id)!==null&&_a!==void 0?_a:this.requestAsyncId(scheduler,this.id,delay2),this},AsyncAction2.prototype.
requestAsyncId=function(scheduler,_id,delay2){return delay2===void 0&&(delay2=0),intervalProvider.setInterval(
scheduler.flush.bind(scheduler,this),delay2)},AsyncAction2.prototype.recycleAsyncId=function(_scheduler,id,delay2){
if(delay2===void 0&&(delay2=0),delay2!=null&&this.delay===delay2&&this.pending===!1)return id;id!=null&&intervalProvider.
clearInterval(id)},AsyncAction2.prototype.execute=function(state,delay2){if(this.closed)return new Error("exec\
uting a cancelled action");this.pending=!1;var error=this._execute(state,delay2);if(error)return error;this.pending===
!1&&this.id!=null&&(this.id=this.recycleAsyncId(this.scheduler,this.id,null))},AsyncAction2.prototype._execute=
function(state,_delay){var errored=!1,errorValue;try{this.work(state)}catch(e){errored=!0,errorValue=e||new Error(
"Scheduled action threw falsy error")}if(errored)return this.unsubscribe(),errorValue},AsyncAction2.prototype.
unsubscribe=function(){if(!this.closed){var _a=this,id=_a.id,scheduler=_a.scheduler,actions=scheduler.actions;
this.work=this.state=this.scheduler=null,this.pending=!1,arrRemove(actions,this),id!=null&&(this.id=this.recycleAsyncId(
scheduler,id,null)),this.delay=null,_super.prototype.unsubscribe.call(this)}},AsyncAction2})(Action),Scheduler=(function(){
function Scheduler2(schedulerActionCtor,now){now===void 0&&(now=Scheduler2.now),this.schedulerActionCtor=schedulerActionCtor,
this.now=now}return Scheduler2.prototype.schedule=function(work,delay2,state){return delay2===void 0&&(delay2=
0),new this.schedulerActionCtor(this,work).schedule(state,delay2)},Scheduler2.now=dateTimestampProvider.now,Scheduler2})(),
AsyncScheduler=(function(_super){__extends(AsyncScheduler2,_super);function AsyncScheduler2(SchedulerAction,now){
now===void 0&&(now=Scheduler.now);var _this=_super.call(this,SchedulerAction,now)||this;return _this.actions=[],
_this._active=!1,_this}return AsyncScheduler2.prototype.flush=function(action){var actions=this.actions;if(this.
_active){actions.push(action);return}var error;this._active=!0;do if(error=action.execute(action.state,action.
delay))break;while(action=actions.shift());if(this._active=!1,error){for(;action=actions.shift();)action.unsubscribe();
throw error}},AsyncScheduler2})(Scheduler),asyncScheduler=new AsyncScheduler(AsyncAction),async=asyncScheduler,
EMPTY=new Observable(function(subscriber){return subscriber.complete()});function isScheduler(value){return value&&
isFunction(value.schedule)}function last(arr){return arr[arr.length-1]}function popScheduler(args){return isScheduler(last(args))?args.pop():void 0}function popNumber(args,defaultValue){
return typeof last(args)=="number"?args.pop():defaultValue}var isArrayLike=(function(x2){return x2&&typeof x2.
length=="number"&&typeof x2!="function"});function isPromise(value){return isFunction(value?.then)}function isInteropObservable(input){
return isFunction(input[observable])}function isAsyncIterable(obj){return Symbol.asyncIterator&&isFunction(obj?.[Symbol.
asyncIterator])}function createInvalidObservableTypeError(input){return new TypeError("You provided "+(input!==
null&&typeof input=="object"?"an invalid object":"'"+input+"'")+" where a stream was expected. You can provide\
 an Observable, Promise, ReadableStream, Array, AsyncIterable, or Iterable.")}function getSymbolIterator(){return typeof Symbol!=
"function"||!Symbol.iterator?"@@iterator":Symbol.iterator}var iterator=getSymbolIterator();function isIterable(input){
return isFunction(input?.[iterator])}function readableStreamLikeToAsyncGenerator(readableStream){return __asyncGenerator(
this,arguments,function(){var reader,_a,value,done;return __generator(this,function(_b){switch(_b.label){case 0:
reader=readableStream.getReader(),_b.label=1;case 1:_b.trys.push([1,,9,10]),_b.label=2;case 2:return[4,__await(
reader.read())];case 3:return _a=_b.sent(),value=_a.value,done=_a.done,done?[4,__await(void 0)]:[3,5];case 4:return[
2,_b.sent()];case 5:return[4,__await(value)];case 6:return[4,_b.sent()];case 7:return _b.sent(),[3,2];case 8:return[
3,10];case 9:return reader.releaseLock(),[7];case 10:return[2]}})})}function isReadableStreamLike(obj){return isFunction(
obj?.getReader)}function innerFrom(input){if(input instanceof Observable)return input;if(input!=null){if(isInteropObservable(
input))return fromInteropObservable(input);if(isArrayLike(input))return fromArrayLike(input);if(isPromise(input))
return fromPromise(input);if(isAsyncIterable(input))return fromAsyncIterable(input);if(isIterable(input))return fromIterable(
input);if(isReadableStreamLike(input))return fromReadableStreamLike(input)}throw createInvalidObservableTypeError(
input)}function fromInteropObservable(obj){return new Observable(function(subscriber){var obs=obj[observable]();
if(isFunction(obs.subscribe))return obs.subscribe(subscriber);throw new TypeError("Provided object does not co\
rrectly implement Symbol.observable")})}function fromArrayLike(array){return new Observable(function(subscriber){
for(var i=0;i<array.length&&!subscriber.closed;i++)subscriber.next(array[i]);subscriber.complete()})}function fromPromise(promise){
return new Observable(function(subscriber){promise.then(function(value){subscriber.closed||(subscriber.next(value),
subscriber.complete())},function(err){return subscriber.error(err)}).then(null,reportUnhandledError)})}function fromIterable(iterable){
return new Observable(function(subscriber){var e_1,_a;try{for(var iterable_1=__values(iterable),iterable_1_1=iterable_1.
next();!iterable_1_1.done;iterable_1_1=iterable_1.next()){var value=iterable_1_1.value;if(subscriber.next(value),
subscriber.closed)return}}catch(e_1_1){e_1={error:e_1_1}}finally{try{iterable_1_1&&!iterable_1_1.done&&(_a=iterable_1.
return)&&_a.call(iterable_1)}finally{if(e_1)throw e_1.error}}subscriber.complete()})}function fromAsyncIterable(asyncIterable){
return new Observable(function(subscriber){process2(asyncIterable,subscriber).catch(function(err){return subscriber.
error(err)})})}function fromReadableStreamLike(readableStream){return fromAsyncIterable(readableStreamLikeToAsyncGenerator(
readableStream))}function process2(asyncIterable,subscriber){var asyncIterable_1,asyncIterable_1_1,e_2,_a;return __awaiter(
this,void 0,void 0,function(){var value,e_2_1;return __generator(this,function(_b){switch(_b.label){case 0:_b.
trys.push([0,5,6,11]),asyncIterable_1=__asyncValues(asyncIterable),_b.label=1;case 1:return[4,asyncIterable_1.
next()];case 2:if(asyncIterable_1_1=_b.sent(),!!asyncIterable_1_1.done)return[3,4];if(value=asyncIterable_1_1.
value,subscriber.next(value),subscriber.closed)return[2];_b.label=3;case 3:return[3,1];case 4:return[3,11];case 5:
return e_2_1=_b.sent(),e_2={error:e_2_1},[3,11];case 6:return _b.trys.push([6,,9,10]),asyncIterable_1_1&&!asyncIterable_1_1.
done&&(_a=asyncIterable_1.return)?[4,_a.call(asyncIterable_1)]:[3,8];case 7:_b.sent(),_b.label=8;case 8:return[
3,10];case 9:if(e_2)throw e_2.error;return[7];case 10:return[7];case 11:return subscriber.complete(),[2]}})})}
function executeSchedule(parentSubscription,scheduler,work,delay2,repeat){delay2===void 0&&(delay2=0),repeat===
void 0&&(repeat=!1);var scheduleSubscription=scheduler.schedule(function(){work(),repeat?parentSubscription.add(
this.schedule(null,delay2)):this.unsubscribe()},delay2);if(parentSubscription.add(scheduleSubscription),!repeat)
return scheduleSubscription}function observeOn(scheduler,delay2){return delay2===void 0&&(delay2=0),operate(function(source2,subscriber){
source2.subscribe(createOperatorSubscriber(subscriber,function(value){return executeSchedule(subscriber,scheduler,
function(){return subscriber.next(value)},delay2)},function(){return executeSchedule(subscriber,scheduler,function(){
return subscriber.complete()},delay2)},function(err){return executeSchedule(subscriber,scheduler,function(){return subscriber.
error(err)},delay2)}))})}function subscribeOn(scheduler,delay2){return delay2===void 0&&(delay2=0),operate(function(source2,subscriber){
subscriber.add(scheduler.schedule(function(){return source2.subscribe(subscriber)},delay2))})}function scheduleObservable(input,scheduler){
return innerFrom(input).pipe(subscribeOn(scheduler),observeOn(scheduler))}function schedulePromise(input,scheduler){
return innerFrom(input).pipe(subscribeOn(scheduler),observeOn(scheduler))}function scheduleArray(input,scheduler){
return new Observable(function(subscriber){var i=0;return scheduler.schedule(function(){i===input.length?subscriber.
complete():(subscriber.next(input[i++]),subscriber.closed||this.schedule())})})}function scheduleIterable(input,scheduler){
return new Observable(function(subscriber){var iterator2;return executeSchedule(subscriber,scheduler,function(){
iterator2=input[iterator](),executeSchedule(subscriber,scheduler,function(){var _a,value,done;try{_a=iterator2.
next(),value=_a.value,done=_a.done}catch(err){subscriber.error(err);return}done?subscriber.complete():subscriber.
next(value)},0,!0)}),function(){return isFunction(iterator2?.return)&&iterator2.return()}})}function scheduleAsyncIterable(input,scheduler){
if(!input)throw new Error("Iterable cannot be null");return new Observable(function(subscriber){executeSchedule(
subscriber,scheduler,function(){var iterator2=input[Symbol.asyncIterator]();executeSchedule(subscriber,scheduler,
function(){iterator2.next().then(function(result){result.done?subscriber.complete():subscriber.next(result.value)})},
0,!0)})})}function scheduleReadableStreamLike(input,scheduler){return scheduleAsyncIterable(readableStreamLikeToAsyncGenerator(
input),scheduler)}function scheduled(input,scheduler){if(input!=null){if(isInteropObservable(input))return scheduleObservable(
input,scheduler);if(isArrayLike(input))return scheduleArray(input,scheduler);if(isPromise(input))return schedulePromise(
input,scheduler);if(isAsyncIterable(input))return scheduleAsyncIterable(input,scheduler);if(isIterable(input))
return scheduleIterable(input,scheduler);if(isReadableStreamLike(input))return scheduleReadableStreamLike(input,
scheduler)}throw createInvalidObservableTypeError(input)}function from(input,scheduler){return scheduler?scheduled(
input,scheduler):innerFrom(input)}function of(){for(var args=[],_i=0;_i<arguments.length;_i++)args[_i]=arguments[_i];
var scheduler=popScheduler(args);return from(args,scheduler)}var EmptyError=createErrorClass(function(_super){
return function(){_super(this),this.name="EmptyError",this.message="no elements in sequence"}});function firstValueFrom(source2,config2){var hasConfig=typeof config2=="object";return new Promise(function(resolve,reject){
var subscriber=new SafeSubscriber({next:function(value){resolve(value),subscriber.unsubscribe()},error:reject,
complete:function(){hasConfig?resolve(config2.defaultValue):reject(new EmptyError)}});source2.subscribe(subscriber)})}
function isValidDate(value){return value instanceof Date&&!isNaN(value)}function map(project,thisArg){return operate(
function(source2,subscriber){var index=0;source2.subscribe(createOperatorSubscriber(subscriber,function(value){
subscriber.next(project.call(thisArg,value,index++))}))})}var isArray=Array.isArray;function callOrApply(fn,args){
return isArray(args)?fn.apply(void 0,__spreadArray([],__read(args))):fn(args)}function mapOneOrManyArgs(fn){return map(
function(args){return callOrApply(fn,args)})}var objectProto=Object.prototype;function mergeInternals(source2,subscriber,project,concurrent,onBeforeNext,expand,innerSubScheduler,additionalFinalizer){
var buffer=[],active=0,index=0,isComplete=!1,checkComplete=function(){isComplete&&!buffer.length&&!active&&subscriber.
complete()},outerNext=function(value){return active<concurrent?doInnerSub(value):buffer.push(value)},doInnerSub=function(value){
expand&&subscriber.next(value),active++;var innerComplete=!1;innerFrom(project(value,index++)).subscribe(createOperatorSubscriber(
subscriber,function(innerValue){onBeforeNext?.(innerValue),expand?outerNext(innerValue):subscriber.next(innerValue)},
function(){innerComplete=!0},void 0,function(){if(innerComplete)try{active--;for(var _loop_1=function(){var bufferedValue=buffer.
shift();innerSubScheduler?executeSchedule(subscriber,innerSubScheduler,function(){return doInnerSub(bufferedValue)}):
doInnerSub(bufferedValue)};buffer.length&&active<concurrent;)_loop_1();checkComplete()}catch(err){subscriber.error(
err)}}))};return source2.subscribe(createOperatorSubscriber(subscriber,outerNext,function(){isComplete=!0,checkComplete()})),
function(){additionalFinalizer?.()}}function mergeMap(project,resultSelector,concurrent){return concurrent===void 0&&
(concurrent=1/0),isFunction(resultSelector)?mergeMap(function(a2,i){return map(function(b2,ii){return resultSelector(
a2,b2,i,ii)})(innerFrom(project(a2,i)))},concurrent):(typeof resultSelector=="number"&&(concurrent=resultSelector),
operate(function(source2,subscriber){return mergeInternals(source2,subscriber,project,concurrent)}))}function mergeAll(concurrent){
return concurrent===void 0&&(concurrent=1/0),mergeMap(identity,concurrent)}function concatAll(){return mergeAll(
1)}function concat(){for(var args=[],_i=0;_i<arguments.length;_i++)args[_i]=arguments[_i];return concatAll()(from(
args,popScheduler(args)))}function defer(observableFactory){return new Observable(function(subscriber){innerFrom(
observableFactory()).subscribe(subscriber)})}var nodeEventEmitterMethods=["addListener","removeListener"],eventTargetMethods=["addEventListener","removeEve\
ntListener"],jqueryMethods=["on","off"];function fromEvent(target,eventName,options,resultSelector){if(isFunction(
options)&&(resultSelector=options,options=void 0),resultSelector)return fromEvent(target,eventName,options).pipe(
mapOneOrManyArgs(resultSelector));var _a=__read(isEventTarget(target)?eventTargetMethods.map(function(methodName){
return function(handler){return target[methodName](eventName,handler,options)}}):isNodeStyleEventEmitter(target)?
nodeEventEmitterMethods.map(toCommonHandlerRegistry(target,eventName)):isJQueryStyleEventEmitter(target)?jqueryMethods.
map(toCommonHandlerRegistry(target,eventName)):[],2),add=_a[0],remove=_a[1];if(!add&&isArrayLike(target))return mergeMap(
function(subTarget){return fromEvent(subTarget,eventName,options)})(innerFrom(target));if(!add)throw new TypeError(
"Invalid event target");return new Observable(function(subscriber){var handler=function(){for(var args=[],_i=0;_i<
arguments.length;_i++)args[_i]=arguments[_i];return subscriber.next(1<args.length?args:args[0])};return add(handler),
function(){return remove(handler)}})}function toCommonHandlerRegistry(target,eventName){return function(methodName){
return function(handler){return target[methodName](eventName,handler)}}}function isNodeStyleEventEmitter(target){
return isFunction(target.addListener)&&isFunction(target.removeListener)}function isJQueryStyleEventEmitter(target){
return isFunction(target.on)&&isFunction(target.off)}function isEventTarget(target){return isFunction(target.addEventListener)&&
isFunction(target.removeEventListener)}function timer(dueTime,intervalOrScheduler,scheduler){dueTime===void 0&&
(dueTime=0),scheduler===void 0&&(scheduler=async);var intervalDuration=-1;return intervalOrScheduler!=null&&(isScheduler(
intervalOrScheduler)?scheduler=intervalOrScheduler:intervalDuration=intervalOrScheduler),new Observable(function(subscriber){
var due=isValidDate(dueTime)?+dueTime-scheduler.now():dueTime;due<0&&(due=0);var n=0;return scheduler.schedule(
function(){subscriber.closed||(subscriber.next(n++),0<=intervalDuration?this.schedule(void 0,intervalDuration):
subscriber.complete())},due)})}function merge(){for(var args=[],_i=0;_i<arguments.length;_i++)args[_i]=arguments[_i];
var scheduler=popScheduler(args),concurrent=popNumber(args,1/0),sources=args;return sources.length?sources.length===
1?innerFrom(sources[0]):mergeAll(concurrent)(from(sources,scheduler)):EMPTY}var NEVER=new Observable(noop),isArray3=Array.
isArray;function argsOrArgArray(args){return args.length===1&&isArray3(args[0])?args[0]:args}function filter(predicate,thisArg){
return operate(function(source2,subscriber){var index=0;source2.subscribe(createOperatorSubscriber(subscriber,
function(value){return predicate.call(thisArg,value,index++)&&subscriber.next(value)}))})}function race(){for(var sources=[],
_i=0;_i<arguments.length;_i++)sources[_i]=arguments[_i];return sources=argsOrArgArray(sources),sources.length===
1?innerFrom(sources[0]):new Observable(raceInit(sources))}function raceInit(sources){return function(subscriber){
for(var subscriptions=[],_loop_1=function(i2){subscriptions.push(innerFrom(sources[i2]).subscribe(createOperatorSubscriber(
subscriber,function(value){if(subscriptions){for(var s=0;s<subscriptions.length;s++)s!==i2&&subscriptions[s].unsubscribe();
subscriptions=null}subscriber.next(value)})))},i=0;subscriptions&&!subscriber.closed&&i<sources.length;i++)_loop_1(
i)}}function catchError(selector){return operate(function(source2,subscriber){var innerSub=null,syncUnsub=!1,handledResult;
innerSub=source2.subscribe(createOperatorSubscriber(subscriber,void 0,void 0,function(err){handledResult=innerFrom(
selector(err,catchError(selector)(source2))),innerSub?(innerSub.unsubscribe(),innerSub=null,handledResult.subscribe(
subscriber)):syncUnsub=!0})),syncUnsub&&(innerSub.unsubscribe(),innerSub=null,handledResult.subscribe(subscriber))})}function defaultIfEmpty(defaultValue){return operate(function(source2,subscriber){var hasValue=!1;source2.subscribe(
createOperatorSubscriber(subscriber,function(value){hasValue=!0,subscriber.next(value)},function(){hasValue||subscriber.
next(defaultValue),subscriber.complete()}))})}function take(count){return count<=0?function(){return EMPTY}:operate(
function(source2,subscriber){var seen=0;source2.subscribe(createOperatorSubscriber(subscriber,function(value){
++seen<=count&&(subscriber.next(value),count<=seen&&subscriber.complete())}))})}function ignoreElements(){return operate(
function(source2,subscriber){source2.subscribe(createOperatorSubscriber(subscriber,noop))})}function distinctUntilChanged(comparator,keySelector){return keySelector===void 0&&(keySelector=identity),comparator=
comparator??defaultCompare,operate(function(source2,subscriber){var previousKey,first2=!0;source2.subscribe(createOperatorSubscriber(
subscriber,function(value){var currentKey=keySelector(value);(first2||!comparator(previousKey,currentKey))&&(first2=
!1,previousKey=currentKey,subscriber.next(value))}))})}function defaultCompare(a2,b2){return a2===b2}function throwIfEmpty(errorFactory){
return errorFactory===void 0&&(errorFactory=defaultErrorFactory),operate(function(source2,subscriber){var hasValue=!1;
source2.subscribe(createOperatorSubscriber(subscriber,function(value){hasValue=!0,subscriber.next(value)},function(){
return hasValue?subscriber.complete():subscriber.error(errorFactory())}))})}function defaultErrorFactory(){return new EmptyError}
function first(predicate,defaultValue){var hasDefaultValue=arguments.length>=2;return function(source2){return source2.
pipe(predicate?filter(function(v2,i){return predicate(v2,i,source2)}):identity,take(1),hasDefaultValue?defaultIfEmpty(
defaultValue):throwIfEmpty(function(){return new EmptyError}))}}function mergeScan(accumulator,seed,concurrent){
return concurrent===void 0&&(concurrent=1/0),operate(function(source2,subscriber){var state=seed;return mergeInternals(
source2,subscriber,function(value,index){return accumulator(state,value,index)},concurrent,function(value){state=
value},!1,void 0,function(){return state=null})})}function raceWith(){for(var otherSources=[],_i=0;_i<arguments.
length;_i++)otherSources[_i]=arguments[_i];return otherSources.length?operate(function(source2,subscriber){raceInit(
__spreadArray([source2],__read(otherSources)))(subscriber)}):identity}function retry(configOrCount){configOrCount===
void 0&&(configOrCount=1/0);var config2;configOrCount&&typeof configOrCount=="object"?config2=configOrCount:config2=
{count:configOrCount};var _a=config2.count,count=_a===void 0?1/0:_a,delay2=config2.delay,_b=config2.resetOnSuccess,
resetOnSuccess=_b===void 0?!1:_b;return count<=0?identity:operate(function(source2,subscriber){var soFar=0,innerSub,
subscribeForRetry=function(){var syncUnsub=!1;innerSub=source2.subscribe(createOperatorSubscriber(subscriber,function(value){
resetOnSuccess&&(soFar=0),subscriber.next(value)},void 0,function(err){if(soFar++<count){var resub_1=function(){
innerSub?(innerSub.unsubscribe(),innerSub=null,subscribeForRetry()):syncUnsub=!0};if(delay2!=null){var notifier=typeof delay2==
"number"?timer(delay2):innerFrom(delay2(err,soFar)),notifierSubscriber_1=createOperatorSubscriber(subscriber,function(){
notifierSubscriber_1.unsubscribe(),resub_1()},function(){subscriber.complete()});notifier.subscribe(notifierSubscriber_1)}else
resub_1()}else subscriber.error(err)})),syncUnsub&&(innerSub.unsubscribe(),innerSub=null,subscribeForRetry())};
subscribeForRetry()})}function startWith(){for(var values=[],_i=0;_i<arguments.length;_i++)values[_i]=arguments[_i];
var scheduler=popScheduler(values);return operate(function(source2,subscriber){(scheduler?concat(values,source2,
scheduler):concat(values,source2)).subscribe(subscriber)})}function switchMap(project,resultSelector){return operate(
function(source2,subscriber){var innerSubscriber=null,index=0,isComplete=!1,checkComplete=function(){return isComplete&&
!innerSubscriber&&subscriber.complete()};source2.subscribe(createOperatorSubscriber(subscriber,function(value){
innerSubscriber?.unsubscribe();var innerIndex=0,outerIndex=index++;innerFrom(project(value,outerIndex)).subscribe(
innerSubscriber=createOperatorSubscriber(subscriber,function(innerValue){return subscriber.next(resultSelector?
resultSelector(value,innerValue,outerIndex,innerIndex++):innerValue)},function(){innerSubscriber=null,checkComplete()}))},
function(){isComplete=!0,checkComplete()}))})}function takeUntil(notifier){return operate(function(source2,subscriber){
innerFrom(notifier).subscribe(createOperatorSubscriber(subscriber,function(){return subscriber.complete()},noop)),
!subscriber.closed&&source2.subscribe(subscriber)})}function tap(observerOrNext,error,complete){var tapObserver=isFunction(
observerOrNext)||error||complete?{next:observerOrNext,error,complete}:observerOrNext;return tapObserver?operate(
function(source2,subscriber){var _a;(_a=tapObserver.subscribe)===null||_a===void 0||_a.call(tapObserver);var isUnsub=!0;
source2.subscribe(createOperatorSubscriber(subscriber,function(value){var _a2;(_a2=tapObserver.next)===null||_a2===
void 0||_a2.call(tapObserver,value),subscriber.next(value)},function(){var _a2;isUnsub=!1,(_a2=tapObserver.complete)===
null||_a2===void 0||_a2.call(tapObserver),subscriber.complete()},function(err){var _a2;isUnsub=!1,(_a2=tapObserver.
error)===null||_a2===void 0||_a2.call(tapObserver,err),subscriber.error(err)},function(){var _a2,_b;isUnsub&&((_a2=
tapObserver.unsubscribe)===null||_a2===void 0||_a2.call(tapObserver)),(_b=tapObserver.finalize)===null||_b===void 0||
_b.call(tapObserver)}))}):identity}function mitt_default(n){return{all:n=n||new Map,on:function(t,e){var i=n.get(t);i?i.push(e):n.set(t,[e])},off:function(t,e){
var i=n.get(t);i&&(e?i.splice(i.indexOf(e)>>>0,1):n.set(t,[]))},emit:function(t,e){var i=n.get(t);i&&i.slice().
map(function(n2){n2(e)}),(i=n.get("*"))&&i.slice().map(function(n2){n2(t,e)})}}}Symbol.dispose??=Symbol("dispose");Symbol.asyncDispose??=Symbol("asyncDispose");var disposeSymbol=Symbol.dispose,
asyncDisposeSymbol=Symbol.asyncDispose,DisposableStackPolyfill=class _DisposableStackPolyfill{#disposed=!1;#stack=[];get disposed(){
return this.#disposed}dispose(){this[disposeSymbol]()}use(value){return value&&typeof value[disposeSymbol]=="f\
unction"&&this.#stack.push(value),value}adopt(value,onDispose){return this.#stack.push({[disposeSymbol](){onDispose(
value)}}),value}defer(onDispose){this.#stack.push({[disposeSymbol](){onDispose()}})}move(){if(this.#disposed)throw new ReferenceError(
"A disposed stack can not use anything new");let stack=new _DisposableStackPolyfill;return stack.#stack=this.#stack,
this.#stack=[],this.#disposed=!0,stack}[disposeSymbol](){if(this.#disposed)return;this.#disposed=!0;let errors=[];
for(let resource of this.#stack.reverse())try{resource[disposeSymbol]()}catch(e){errors.push(e)}if(errors.length===
1)throw errors[0];if(errors.length>1){let suppressed=null;for(let error of errors)suppressed===null?suppressed=
error:suppressed=new SuppressedErrorPolyfill(error,suppressed);throw suppressed}}[Symbol.toStringTag]="Disposa\
bleStack"},DisposableStack=globalThis.DisposableStack??DisposableStackPolyfill,AsyncDisposableStackPolyfill=class _AsyncDisposableStackPolyfill{#disposed=!1;#stack=[];get disposed(){
return this.#disposed}async disposeAsync(){await this[asyncDisposeSymbol]()}use(value){if(value){let asyncDispose=value[asyncDisposeSymbol],
dispose=value[disposeSymbol];typeof asyncDispose=="function"?this.#stack.push(value):typeof dispose=="function"&&
this.#stack.push({[asyncDisposeSymbol]:async()=>{value[disposeSymbol]()}})}return value}adopt(value,onDispose){
return this.#stack.push({[asyncDisposeSymbol](){return onDispose(value)}}),value}defer(onDispose){this.#stack.
push({[asyncDisposeSymbol](){return onDispose()}})}move(){if(this.#disposed)throw new ReferenceError("A dispos\
ed stack can not use anything new");let stack=new _AsyncDisposableStackPolyfill;return stack.#stack=this.#stack,
this.#stack=[],this.#disposed=!0,stack}async[asyncDisposeSymbol](){if(this.#disposed)return;this.#disposed=!0;
let errors=[];for(let resource of this.#stack.reverse())try{await resource[asyncDisposeSymbol]()}catch(e){errors.
push(e)}if(errors.length===1)throw errors[0];if(errors.length>1){let suppressed=null;for(let error of errors)suppressed===
null?suppressed=error:suppressed=new SuppressedErrorPolyfill(error,suppressed);throw suppressed}}[Symbol.toStringTag]="\
AsyncDisposableStack"},AsyncDisposableStack=globalThis.AsyncDisposableStack??AsyncDisposableStackPolyfill,SuppressedErrorPolyfill=class extends Error{#error;#suppressed;constructor(error,suppressed,message="\
An error was suppressed during disposal"){super(message),this.name="SuppressedError",this.#error=error,this.#suppressed=
suppressed}get error(){return this.#error}get suppressed(){return this.#suppressed}},SuppressedError2=globalThis.
SuppressedError??SuppressedErrorPolyfill;var isNode=!!(typeof process<"u"&&process.version),environment={value:{get fs(){throw new Error("fs is not ava\
ilable in this environment")},get ScreenRecorder(){throw new Error("ScreenRecorder is not available in this en\
vironment")}}};var assert=(value,message)=>{if(!value)throw new Error(message)};function stringToTypedArray(string,base64Encoded=!1){return base64Encoded?"fromBase64"in Uint8Array?Uint8Array.
fromBase64(string):typeof Buffer=="function"?Buffer.from(string,"base64"):Uint8Array.from(atob(string),m=>m.codePointAt(
0)):new TextEncoder().encode(string)}function stringToBase64(str){return typedArrayToBase64(new TextEncoder().
encode(str))}function typedArrayToBase64(typedArray){let chunks=[];for(let i=0;i<typedArray.length;i+=65534){let chunk=typedArray.
subarray(i,i+65534);chunks.push(String.fromCodePoint.apply(null,chunk))}let binaryString=chunks.join("");return btoa(
binaryString)}function mergeUint8Arrays(items){let length=0;for(let item of items)length+=item.length;let result=new Uint8Array(
length),offset=0;for(let item of items)result.set(item,offset),offset+=item.length;return result}var packageVersion="24.43.1";var debugModule=null;async function importDebug(){return debugModule||(debugModule=(await Promise.resolve().then(()=>(init_debug(),debug_exports))).
default),debugModule}var debug=prefix=>isNode?async(...logArgs)=>{captureLogs&&capturedLogs.push(prefix+logArgs),
(await importDebug())(prefix)(logArgs)}:(...logArgs)=>{let debugLevel=globalThis.__PUPPETEER_DEBUG;!debugLevel||
!(debugLevel==="*"||(debugLevel.endsWith("*")?prefix.startsWith(debugLevel):prefix===debugLevel))||console.log(
`${prefix}:`,...logArgs)},capturedLogs=[],captureLogs=!1;var PuppeteerError=class extends Error{constructor(message,options){super(message,options),this.name=this.constructor.
name}get[Symbol.toStringTag](){return this.constructor.name}},TimeoutError=class extends PuppeteerError{},TouchError=class extends PuppeteerError{},
ProtocolError=class extends PuppeteerError{#code;#originalMessage="";set code(code){this.#code=code}get code(){
return this.#code}set originalMessage(originalMessage){this.#originalMessage=originalMessage}get originalMessage(){
return this.#originalMessage}},UnsupportedOperation=class extends PuppeteerError{},TargetCloseError=class extends ProtocolError{},
ConnectionClosedError=class extends ProtocolError{};var paperFormats={letter:{cm:{width:21.59,height:27.94},in:{width:8.5,height:11}},legal:{cm:{width:21.59,height:35.56},
in:{width:8.5,height:14}},tabloid:{cm:{width:27.94,height:43.18},in:{width:11,height:17}},ledger:{cm:{width:43.18,
height:27.94},in:{width:17,height:11}},a0:{cm:{width:84.1,height:118.9},in:{width:33.1102,height:46.811}},a1:{
cm:{width:59.4,height:84.1},in:{width:23.3858,height:33.1102}},a2:{cm:{width:42,height:59.4},in:{width:16.5354,
height:23.3858}},a3:{cm:{width:29.7,height:42},in:{width:11.6929,height:16.5354}},a4:{cm:{width:21,height:29.7},
in:{width:8.2677,height:11.6929}},a5:{cm:{width:14.8,height:21},in:{width:5.8268,height:8.2677}},a6:{cm:{width:10.5,
height:14.8},in:{width:4.1339,height:5.8268}}};var debugError=debug("puppeteer:error"),DEFAULT_VIEWPORT=Object.freeze({width:800,height:600}),SOURCE_URL=Symbol(
"Source URL for Puppeteer evaluation scripts"),PuppeteerURL=class _PuppeteerURL{static INTERNAL_URL="pptr:inte\
rnal";static fromCallSite(functionName,site){let url=new _PuppeteerURL;return url.#functionName=functionName,url.#siteString=
site.toString(),url}static parse=url=>{url=url.slice(5);let[functionName="",siteString=""]=url.split(";"),puppeteerUrl=new _PuppeteerURL;
return puppeteerUrl.#functionName=functionName,puppeteerUrl.#siteString=decodeURIComponent(siteString),puppeteerUrl};static isPuppeteerURL=url=>url.
startsWith("pptr:");#functionName;#siteString;get functionName(){return this.#functionName}get siteString(){return this.#siteString}toString(){
return`pptr:${[this.#functionName,encodeURIComponent(this.#siteString)].join(";")}`}},withSourcePuppeteerURLIfNone=(functionName,object)=>{
if(Object.prototype.hasOwnProperty.call(object,SOURCE_URL))return object;let original=Error.prepareStackTrace;
Error.prepareStackTrace=(_2,stack)=>stack[2];let site=new Error().stack;return Error.prepareStackTrace=original,
Object.assign(object,{[SOURCE_URL]:PuppeteerURL.fromCallSite(functionName,site)})},getSourcePuppeteerURLIfAvailable=object=>{
if(Object.prototype.hasOwnProperty.call(object,SOURCE_URL))return object[SOURCE_URL]},isString=obj=>typeof obj==
"string"||obj instanceof String,isNumber=obj=>typeof obj=="number"||obj instanceof Number;function evaluationString(fun,...args){if(isString(fun))return assert(args.length===0,"Cannot evaluate a strin\
g with arguments"),fun;function serializeArgument(arg){return Object.is(arg,void 0)?"undefined":JSON.stringify(
arg)}return`(${fun})(${args.map(serializeArgument).join(",")})`}async function getReadableAsTypedArray(readable,path){
let buffers=[],reader=readable.getReader();if(path){let fileHandle=await environment.value.fs.promises.open(path,
"w+");try{for(;;){let{done,value}=await reader.read();if(done)break;buffers.push(value),await fileHandle.writeFile(
value)}}finally{await fileHandle.close()}}else for(;;){let{done,value}=await reader.read();if(done)break;buffers.
push(value)}try{let concat2=mergeUint8Arrays(buffers);return concat2.length===0?null:concat2}catch(error){return debugError(
error),null}}async function getReadableFromProtocolStream(client,handle){return new ReadableStream({async pull(controller){
let{data,base64Encoded,eof}=await client.send("IO.read",{handle});controller.enqueue(stringToTypedArray(data,base64Encoded??
!1)),eof&&(await client.send("IO.close",{handle}),controller.close())}})}var VALID_DIALOG_TYPES=new Set(["aler\
t","confirm","prompt","beforeunload"]);function validateDialogType(type){let dialogType=null;return VALID_DIALOG_TYPES.
has(type)&&(dialogType=type),assert(dialogType,`Unknown javascript dialog type: ${type}`),dialogType}function timeout(ms,cause){
return ms===0?NEVER:timer(ms).pipe(map(()=>{throw new TimeoutError(`Timed out after waiting ${ms}ms`,{cause})}))}
var UTILITY_WORLD_NAME="__puppeteer_utility_world__"+packageVersion,SOURCE_URL_REGEX=/^[\x20\t]*\/\/[@#] sourceURL=\s{0,10}(\S*?)\s{0,10}$/m;
function getSourceUrlComment(url){return`//# sourceURL=${url}`}var NETWORK_IDLE_TIME=500;function parsePDFOptions(options={},lengthUnit="\
in"){let defaults={scale:1,displayHeaderFooter:!1,headerTemplate:"",footerTemplate:"",printBackground:!1,landscape:!1,
pageRanges:"",preferCSSPageSize:!1,omitBackground:!1,outline:!1,tagged:!0,waitForFonts:!0},width=8.5,height=11;
if(options.format){let format=paperFormats[options.format.toLowerCase()][lengthUnit];assert(format,"Unknown pa\
per format: "+options.format),width=format.width,height=format.height}else width=convertPrintParameterToInches(
options.width,lengthUnit)??width,height=convertPrintParameterToInches(options.height,lengthUnit)??height;let margin={
top:convertPrintParameterToInches(options.margin?.top,lengthUnit)||0,left:convertPrintParameterToInches(options.
margin?.left,lengthUnit)||0,bottom:convertPrintParameterToInches(options.margin?.bottom,lengthUnit)||0,right:convertPrintParameterToInches(
options.margin?.right,lengthUnit)||0};return options.outline&&(options.tagged=!0),{...defaults,...options,width,
height,margin}}var unitToPixels={px:1,in:96,cm:37.8,mm:3.78};function convertPrintParameterToInches(parameter,lengthUnit="\
in"){if(typeof parameter>"u")return;let pixels;if(isNumber(parameter))pixels=parameter;else if(isString(parameter)){
let text=parameter,unit=text.substring(text.length-2).toLowerCase(),valueText="";unit in unitToPixels?valueText=
text.substring(0,text.length-2):(unit="px",valueText=text);let value=Number(valueText);assert(!isNaN(value),"F\
ailed to parse parameter value: "+text),pixels=value*unitToPixels[unit]}else throw new Error("page.pdf() Canno\
t handle parameter type: "+typeof parameter);return pixels/unitToPixels[lengthUnit]}function fromEmitterEvent(emitter,eventName){
return new Observable(subscriber=>{let listener=event=>{subscriber.next(event)};return emitter.on(eventName,listener),
()=>{emitter.off(eventName,listener)}})}function fromAbortSignal(signal,cause){return signal?fromEvent(signal,
"abort").pipe(map(()=>{throw signal.reason instanceof Error?(signal.reason.cause=cause,signal.reason):new Error(
signal.reason,{cause})})):NEVER}function filterAsync(predicate){return mergeMap(value=>from(Promise.resolve(predicate(
value))).pipe(filter(isMatch=>isMatch),map(()=>value)))}var EventEmitter=class{#emitter;#handlers=new Map;constructor(emitter=mitt_default(new Map)){this.#emitter=emitter}on(type,handler){
let handlers=this.#handlers.get(type);return handlers===void 0?this.#handlers.set(type,[handler]):handlers.push(
handler),this.#emitter.on(type,handler),this}off(type,handler){let handlers=this.#handlers.get(type)??[];if(handler===
void 0){for(let handler2 of handlers)this.#emitter.off(type,handler2);return this.#handlers.delete(type),this}
let index=handlers.lastIndexOf(handler);return index>-1&&this.#emitter.off(type,...handlers.splice(index,1)),this}emit(type,event){
return this.#emitter.emit(type,event),this.listenerCount(type)>0}once(type,handler){let onceHandler=eventData=>{
handler(eventData),this.off(type,onceHandler)};return this.on(type,onceHandler)}listenerCount(type){return this.#handlers.
get(type)?.length||0}removeAllListeners(type){return type!==void 0?this.off(type):(this[disposeSymbol](),this)}[disposeSymbol](){
this[asyncDisposeSymbol]().catch(debugError)}async[asyncDisposeSymbol](){for(let[type,handlers]of this.#handlers)
for(let handler of handlers)this.#emitter.off(type,handler);this.#handlers.clear()}};var WEB_PERMISSION_TO_PROTOCOL_PERMISSION=new Map([["accelerometer","sensors"],["ambient-light-sensor","sensor\
s"],["background-sync","backgroundSync"],["camera","videoCapture"],["clipboard-read","clipboardReadWrite"],["c\
lipboard-sanitized-write","clipboardSanitizedWrite"],["clipboard-write","clipboardReadWrite"],["geolocation","\
geolocation"],["gyroscope","sensors"],["idle-detection","idleDetection"],["keyboard-lock","keyboardLock"],["ma\
gnetometer","sensors"],["microphone","audioCapture"],["midi","midi"],["notifications","notifications"],["payme\
nt-handler","paymentHandler"],["persistent-storage","durableStorage"],["pointer-lock","pointerLock"],["midi-sy\
sex","midiSysex"]]),Browser=class extends EventEmitter{constructor(){super()}async waitForTarget(predicate,options={}){
let{timeout:ms=3e4,signal}=options;return await firstValueFrom(merge(fromEmitterEvent(this,"targetcreated"),fromEmitterEvent(
this,"targetchanged"),from(this.targets())).pipe(filterAsync(predicate),raceWith(fromAbortSignal(signal),timeout(
ms))))}async pages(includeAll=!1){return(await Promise.all(this.browserContexts().map(context2=>context2.pages(
includeAll)))).reduce((acc,x2)=>acc.concat(x2),[])}async cookies(){return await this.defaultBrowserContext().cookies()}async setCookie(...cookies){
return await this.defaultBrowserContext().setCookie(...cookies)}async deleteCookie(...cookies){return await this.
defaultBrowserContext().deleteCookie(...cookies)}async deleteMatchingCookies(...filters){return await this.defaultBrowserContext().
deleteMatchingCookies(...filters)}async setPermission(origin,...permissions){return await this.defaultBrowserContext().
setPermission(origin,...permissions)}isConnected(){return this.connected}[disposeSymbol](){this[asyncDisposeSymbol]().
catch(debugError)}async[asyncDisposeSymbol](){this.process()?await this.close():await this.disconnect(),await super[asyncDisposeSymbol]()}};var Deferred=class _Deferred{static create(opts){return new _Deferred(opts)}static async race(awaitables){let deferredWithTimeout=new Set;
try{let promises=awaitables.map(value=>value instanceof _Deferred?(value.#timeoutId&&deferredWithTimeout.add(value),
value.valueOrThrow()):value);return await Promise.race(promises)}finally{for(let deferred of deferredWithTimeout)
deferred.reject(new Error("Timeout cleared"))}}#isResolved=!1;#isRejected=!1;#value;#resolve;#taskPromise=new Promise(
resolve=>{this.#resolve=resolve});#timeoutId;#timeoutError;constructor(opts){opts&&opts.timeout>0&&(this.#timeoutError=
new TimeoutError(opts.message),this.#timeoutId=setTimeout(()=>{this.reject(this.#timeoutError)},opts.timeout))}#finish(value){
clearTimeout(this.#timeoutId),this.#value=value,this.#resolve()}resolve(value){this.#isRejected||this.#isResolved||
(this.#isResolved=!0,this.#finish(value))}reject(error){this.#isRejected||this.#isResolved||(this.#isRejected=
!0,this.#finish(error))}resolved(){return this.#isResolved}finished(){return this.#isResolved||this.#isRejected}value(){
return this.#value}#promise;valueOrThrow(){return this.#promise||(this.#promise=(async()=>{if(await this.#taskPromise,
this.#isRejected)throw this.#value;return this.#value})()),this.#promise}};var Mutex=class _Mutex{static Guard=class{#mutex;#onRelease;constructor(mutex,onRelease){this.#mutex=mutex,this.#onRelease=
onRelease}[disposeSymbol](){return this.#onRelease?.(),this.#mutex.release()}};#locked=!1;#acquirers=[];async acquire(onRelease){
if(!this.#locked)return this.#locked=!0,new _Mutex.Guard(this,onRelease);let deferred=Deferred.create();return this.#acquirers.
push(deferred.resolve.bind(deferred)),await deferred.valueOrThrow(),new _Mutex.Guard(this,onRelease)}release(){
let resolve=this.#acquirers.shift();if(!resolve){this.#locked=!1;return}resolve()}};var BrowserContext=class extends EventEmitter{constructor(){super()}#pageScreenshotMutex;#screenshotOperationsCount=0;startScreenshot(){
let mutex=this.#pageScreenshotMutex||new Mutex;return this.#pageScreenshotMutex=mutex,this.#screenshotOperationsCount++,
mutex.acquire(()=>{this.#screenshotOperationsCount--,this.#screenshotOperationsCount===0&&(this.#pageScreenshotMutex=
void 0)})}waitForScreenshotOperations(){return this.#pageScreenshotMutex?.acquire()}async waitForTarget(predicate,options={}){
let{timeout:ms=3e4}=options;return await firstValueFrom(merge(fromEmitterEvent(this,"targetcreated"),fromEmitterEvent(
this,"targetchanged"),from(this.targets())).pipe(filterAsync(predicate),raceWith(timeout(ms))))}async deleteCookie(...cookies){
return await this.setCookie(...cookies.map(cookie=>({...cookie,expires:1})))}async deleteMatchingCookies(...filters){
let cookiesToDelete=(await this.cookies()).filter(cookie=>filters.some(filter2=>{if(filter2.name===cookie.name){
if(filter2.domain!==void 0&&filter2.domain===cookie.domain||filter2.path!==void 0&&filter2.path===cookie.path)
return!0;if(filter2.partitionKey!==void 0&&cookie.partitionKey!==void 0){if(typeof cookie.partitionKey!="objec\
t")throw new Error("Unexpected string partition key");if(typeof filter2.partitionKey=="string"){if(filter2.partitionKey===
cookie.partitionKey?.sourceOrigin)return!0}else if(filter2.partitionKey.sourceOrigin===cookie.partitionKey?.sourceOrigin)
return!0}if(filter2.url!==void 0){let url=new URL(filter2.url);if(url.hostname===cookie.domain&&url.pathname===
cookie.path)return!0}return!0}return!1}));await this.deleteCookie(...cookiesToDelete)}get closed(){return!this.
browser().browserContexts().includes(this)}get id(){}[disposeSymbol](){this[asyncDisposeSymbol]().catch(debugError)}async[asyncDisposeSymbol](){
await this.close(),await super[asyncDisposeSymbol]()}};var CDPSessionEvent;(function(CDPSessionEvent2){CDPSessionEvent2.Disconnected=Symbol("CDPSession.Disconnected"),
CDPSessionEvent2.Swapped=Symbol("CDPSession.Swapped"),CDPSessionEvent2.Ready=Symbol("CDPSession.Ready"),CDPSessionEvent2.
SessionAttached="sessionattached",CDPSessionEvent2.SessionDetached="sessiondetached"})(CDPSessionEvent||(CDPSessionEvent=
{}));var CDPSession=class extends EventEmitter{constructor(){super()}parentSession(){}};var DeviceRequestPrompt=class{devices=[]};var Dialog=class{#type;#message;#defaultValue;handled=!1;constructor(type,message,defaultValue=""){this.#type=
type,this.#message=message,this.#defaultValue=defaultValue}type(){return this.#type}message(){return this.#message}defaultValue(){
return this.#defaultValue}async accept(promptText){assert(!this.handled,"Cannot accept dialog which is already\
 handled!"),this.handled=!0,await this.handle({accept:!0,text:promptText})}async dismiss(){assert(!this.handled,
"Cannot dismiss dialog which is already handled!"),this.handled=!0,await this.handle({accept:!1})}};var AsyncIterableUtil=class{static async*map(iterable,map2){for await(let value of iterable)yield await map2(value)}static async*flatMap(iterable,map2){
for await(let value of iterable)yield*map2(value)}static async collect(iterable){let result=[];for await(let value of iterable)
result.push(value);return result}static async first(iterable){for await(let value of iterable)return value}};var _isElementHandle=Symbol("_isElementHandle");function isErrorLike(obj){return typeof obj=="object"&&obj!==null&&"name"in obj&&"message"in obj}function rewriteError(error,message,originalMessage){return error.message=message,error.originalMessage=originalMessage??
error.originalMessage,error}function createProtocolErrorMessage(object){let message=object.error.message;return object.
error&&typeof object.error=="object"&&"data"in object.error&&(message+=` ${object.error.data}`),message}var createdFunctions=new Map,createFunction=functionValue=>{let fn=createdFunctions.get(functionValue);return fn||
(fn=new Function(`return ${functionValue}`)(),createdFunctions.set(functionValue,fn),fn)};function stringifyFunction(fn){
let value=fn.toString();if(value.match(/^(async )*function(\(|\s)/)||value.match(/^(async )*function\s*\*\s*/)||
value.startsWith("(")||value.match(/^async\s*\(/)||value.match(/^(async)*\s*(?:[$_\p{ID_Start}])(?:[$\u200C\u200D\p{ID_Continue}])*\s*=>/u))
return value;let prefix="function ";return value.startsWith("async ")&&(prefix=`async ${prefix}`,value=value.substring(
6)),`${prefix}${value}`}var interpolateFunction=(fn,replacements)=>{let value=stringifyFunction(fn);for(let[name,
jsValue]of Object.entries(replacements))value=value.replace(new RegExp(`PLACEHOLDER\\(\\s*(?:'${name}'|"${name}\
")\\s*\\)`,"g"),`(${jsValue})`);return createFunction(value)};var __addDisposableResource=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources=(function(SuppressedError3){return function(env){function fail(e){env.error=env.
hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),DEFAULT_BATCH_SIZE=20;async function*fastTransposeIteratorHandle(iterator2,size){
let env_1={stack:[],error:void 0,hasError:!1};try{let properties=await __addDisposableResource(env_1,await iterator2.
evaluateHandle(async(iterator3,size2)=>{let results=[];for(;results.length<size2;){let result=await iterator3.
next();if(result.done)break;results.push(result.value)}return results},size),!1).getProperties(),handles=properties.
values();return __addDisposableResource(env_1,new DisposableStack,!1).defer(()=>{for(let handle_1 of handles){
let env_2={stack:[],error:void 0,hasError:!1};try{__addDisposableResource(env_2,handle_1,!1)[disposeSymbol]()}catch(e_2){
env_2.error=e_2,env_2.hasError=!0}finally{__disposeResources(env_2)}}}),yield*handles,properties.size===0}catch(e_1){
env_1.error=e_1,env_1.hasError=!0}finally{__disposeResources(env_1)}}async function*transposeIteratorHandle(iterator2){
let size=DEFAULT_BATCH_SIZE;for(;!(yield*fastTransposeIteratorHandle(iterator2,size));)size<<=1}async function*transposeIterableHandle(handle){
let env_3={stack:[],error:void 0,hasError:!1};try{let generatorHandle=__addDisposableResource(env_3,await handle.
evaluateHandle(iterable=>(async function*(){yield*iterable})()),!1);yield*transposeIteratorHandle(generatorHandle)}catch(e_3){
env_3.error=e_3,env_3.hasError=!0}finally{__disposeResources(env_3)}}var LazyArg=class _LazyArg{static create=get=>new _LazyArg(get);#get;constructor(get){this.#get=get}async get(context2){
return await this.#get(context2)}};var __addDisposableResource2=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources2=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),QueryHandler=class{static querySelectorAll;static querySelector;static get _querySelector(){
if(this.querySelector)return this.querySelector;if(!this.querySelectorAll)throw new Error("Cannot create defau\
lt `querySelector`.");return this.querySelector=interpolateFunction(async(node,selector,PuppeteerUtil)=>{let results=PLACEHOLDER(
"querySelectorAll")(node,selector,PuppeteerUtil);for await(let result of results)return result;return null},{querySelectorAll:stringifyFunction(
this.querySelectorAll)})}static get _querySelectorAll(){if(this.querySelectorAll)return this.querySelectorAll;
if(!this.querySelector)throw new Error("Cannot create default `querySelectorAll`.");return this.querySelectorAll=
interpolateFunction(async function*(node,selector,PuppeteerUtil){let result=await PLACEHOLDER("querySelector")(
node,selector,PuppeteerUtil);result&&(yield result)},{querySelector:stringifyFunction(this.querySelector)})}static async*queryAll(element,selector){
let env_1={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource2(env_1,await element.evaluateHandle(
this._querySelectorAll,selector,LazyArg.create(context2=>context2.puppeteerUtil)),!1);yield*transposeIterableHandle(
handle)}catch(e_1){env_1.error=e_1,env_1.hasError=!0}finally{__disposeResources2(env_1)}}static async queryOne(element,selector){
let env_2={stack:[],error:void 0,hasError:!1};try{let result=__addDisposableResource2(env_2,await element.evaluateHandle(
this._querySelector,selector,LazyArg.create(context2=>context2.puppeteerUtil)),!1);return _isElementHandle in result?
result.move():null}catch(e_2){env_2.error=e_2,env_2.hasError=!0}finally{__disposeResources2(env_2)}}static async waitFor(elementOrFrame,selector,options){
let env_3={stack:[],error:void 0,hasError:!1};try{let frame,element=__addDisposableResource2(env_3,await(async()=>{
if(!(_isElementHandle in elementOrFrame)){frame=elementOrFrame;return}return frame=elementOrFrame.frame,await frame.
isolatedRealm().adoptHandle(elementOrFrame)})(),!1),{visible=!1,hidden=!1,timeout:timeout2,signal}=options,polling=visible||
hidden?"raf":options.polling;try{let env_4={stack:[],error:void 0,hasError:!1};try{signal?.throwIfAborted();let handle=__addDisposableResource2(
env_4,await frame.isolatedRealm().waitForFunction(async(PuppeteerUtil,query,selector2,root,visible2)=>{let node=await PuppeteerUtil.
createFunction(query)(root??document,selector2,PuppeteerUtil);return PuppeteerUtil.checkVisibility(node,visible2)},
{polling,root:element,timeout:timeout2,signal},LazyArg.create(context2=>context2.puppeteerUtil),stringifyFunction(
this._querySelector),selector,element,visible?!0:hidden?!1:void 0),!1);if(signal?.aborted)throw signal.reason;
return _isElementHandle in handle?await frame.mainRealm().transferHandle(handle):null}catch(e_3){env_4.error=e_3,
env_4.hasError=!0}finally{__disposeResources2(env_4)}}catch(error){if(!isErrorLike(error)||error.name==="Abort\
Error")throw error;let waitForSelectorError=new(error instanceof TimeoutError?TimeoutError:Error)(`Waiting for\
 selector \`${selector}\` failed`);throw waitForSelectorError.cause=error,waitForSelectorError}}catch(e_4){env_3.
error=e_4,env_3.hasError=!0}finally{__disposeResources2(env_3)}}};var isKnownAttribute=attribute=>["name","role"].includes(attribute),ATTRIBUTE_REGEXP=/\[\s*(?<attribute>\w+)\s*=\s*(?<quote>"|')(?<value>\\.|.*?(?=\k<quote>))\k<quote>\s*\]/g,
parseARIASelector=selector=>{if(selector.length>1e4)throw new Error(`Selector ${selector} is too long`);let queryOptions={},
defaultName=selector.replace(ATTRIBUTE_REGEXP,(_2,attribute,__,value)=>(assert(isKnownAttribute(attribute),`Un\
known aria attribute "${attribute}" in selector`),queryOptions[attribute]=value,""));return defaultName&&!queryOptions.
name&&(queryOptions.name=defaultName),queryOptions},ARIAQueryHandler=class extends QueryHandler{static querySelector=async(node,selector,{
ariaQuerySelector})=>await ariaQuerySelector(node,selector);static async*queryAll(element,selector){let{name,role}=parseARIASelector(
selector);yield*element.queryAXTree(name,role)}static queryOne=async(element,selector)=>await AsyncIterableUtil.
first(this.queryAll(element,selector))??null};var CSSQueryHandler=class extends QueryHandler{static querySelector=(element,selector,{cssQuerySelector})=>cssQuerySelector(
element,selector);static querySelectorAll=(element,selector,{cssQuerySelectorAll})=>cssQuerySelectorAll(element,
selector)};var source='"use strict";var g=Object.defineProperty;var X=Object.getOwnPropertyDescriptor;var B=Object.getOwn\
PropertyNames;var Y=Object.prototype.hasOwnProperty;var l=(t,e)=>{for(var r in e)g(t,r,{get:e[r],enumerable:!0\
})},G=(t,e,r,o)=>{if(e&&typeof e=="object"||typeof e=="function")for(let s of B(e))!Y.call(t,s)&&s!==r&&g(t,s,\
{get:()=>e[s],enumerable:!(o=X(e,s))||o.enumerable});return t};var J=t=>G(g({},"__esModule",{value:!0}),t);var\
 pe={};l(pe,{default:()=>he});module.exports=J(pe);var N=class extends Error{constructor(e,r){super(e,r),this.\
name=this.constructor.name}get[Symbol.toStringTag](){return this.constructor.name}},p=class extends N{};var c=\
class t{static create(e){return new t(e)}static async race(e){let r=new Set;try{let o=e.map(s=>s instanceof t?\
(s.#s&&r.add(s),s.valueOrThrow()):s);return await Promise.race(o)}finally{for(let o of r)o.reject(new Error("T\
imeout cleared"))}}#e=!1;#r=!1;#o;#t;#a=new Promise(e=>{this.#t=e});#s;#i;constructor(e){e&&e.timeout>0&&(this\
.#i=new p(e.message),this.#s=setTimeout(()=>{this.reject(this.#i)},e.timeout))}#l(e){clearTimeout(this.#s),thi\
s.#o=e,this.#t()}resolve(e){this.#r||this.#e||(this.#e=!0,this.#l(e))}reject(e){this.#r||this.#e||(this.#r=!0,\
this.#l(e))}resolved(){return this.#e}finished(){return this.#e||this.#r}value(){return this.#o}#n;valueOrThro\
w(){return this.#n||(this.#n=(async()=>{if(await this.#a,this.#r)throw this.#o;return this.#o})()),this.#n}};v\
ar L=new Map,W=t=>{let e=L.get(t);return e||(e=new Function(`return ${t}`)(),L.set(t,e),e)};var b={};l(b,{aria\
QuerySelector:()=>z,ariaQuerySelectorAll:()=>x});var z=(t,e)=>globalThis.__ariaQuerySelector(t,e),x=async func\
tion*(t,e){yield*await globalThis.__ariaQuerySelectorAll(t,e)};var E={};l(E,{cssQuerySelector:()=>K,cssQuerySe\
lectorAll:()=>Z});var K=(t,e)=>t.querySelector(e),Z=function(t,e){return t.querySelectorAll(e)};var A={};l(A,{\
customQuerySelectors:()=>P});var v=class{#e=new Map;register(e,r){if(!r.queryOne&&r.queryAll){let o=r.queryAll\
;r.queryOne=(s,i)=>{for(let n of o(s,i))return n;return null}}else if(r.queryOne&&!r.queryAll){let o=r.queryOn\
e;r.queryAll=(s,i)=>{let n=o(s,i);return n?[n]:[]}}else if(!r.queryOne||!r.queryAll)throw new Error("At least \
one query method must be defined.");this.#e.set(e,{querySelector:r.queryOne,querySelectorAll:r.queryAll})}unre\
gister(e){this.#e.delete(e)}get(e){return this.#e.get(e)}clear(){this.#e.clear()}},P=new v;var R={};l(R,{pierc\
eQuerySelector:()=>ee,pierceQuerySelectorAll:()=>te});var ee=(t,e)=>{let r=null,o=s=>{let i=document.createTre\
eWalker(s,NodeFilter.SHOW_ELEMENT);do{let n=i.currentNode;n.shadowRoot&&o(n.shadowRoot),!(n instanceof ShadowR\
oot)&&n!==s&&!r&&n.matches(e)&&(r=n)}while(!r&&i.nextNode())};return t instanceof Document&&(t=t.documentEleme\
nt),o(t),r},te=(t,e)=>{let r=[],o=s=>{let i=document.createTreeWalker(s,NodeFilter.SHOW_ELEMENT);do{let n=i.cu\
rrentNode;n.shadowRoot&&o(n.shadowRoot),!(n instanceof ShadowRoot)&&n!==s&&n.matches(e)&&r.push(n)}while(i.nex\
tNode())};return t instanceof Document&&(t=t.documentElement),o(t),r};var u=(t,e)=>{if(!t)throw new Error(e)};\
var y=class{#e;#r;#o;#t;constructor(e,r){this.#e=e,this.#r=r}async start(){let e=this.#t=c.create(),r=await th\
is.#e();if(r){e.resolve(r);return}this.#o=new MutationObserver(async()=>{let o=await this.#e();o&&(e.resolve(o\
),await this.stop())}),this.#o.observe(this.#r,{childList:!0,subtree:!0,attributes:!0})}async stop(){u(this.#t\
,"Polling never started."),this.#t.finished()||this.#t.reject(new Error("Polling stopped")),this.#o&&(this.#o.\
disconnect(),this.#o=void 0)}result(){return u(this.#t,"Polling never started."),this.#t.valueOrThrow()}},w=cl\
ass{#e;#r;constructor(e){this.#e=e}async start(){let e=this.#r=c.create(),r=await this.#e();if(r){e.resolve(r)\
;return}let o=async()=>{if(e.finished())return;let s=await this.#e();if(!s){window.requestAnimationFrame(o);re\
turn}e.resolve(s),await this.stop()};window.requestAnimationFrame(o)}async stop(){u(this.#r,"Polling never sta\
rted."),this.#r.finished()||this.#r.reject(new Error("Polling stopped"))}result(){return u(this.#r,"Polling ne\
ver started."),this.#r.valueOrThrow()}},T=class{#e;#r;#o;#t;constructor(e,r){this.#e=e,this.#r=r}async start()\
{let e=this.#t=c.create(),r=await this.#e();if(r){e.resolve(r);return}this.#o=setInterval(async()=>{let o=awai\
t this.#e();o&&(e.resolve(o),await this.stop())},this.#r)}async stop(){u(this.#t,"Polling never started."),thi\
s.#t.finished()||this.#t.reject(new Error("Polling stopped")),this.#o&&(clearInterval(this.#o),this.#o=void 0)\
}result(){return u(this.#t,"Polling never started."),this.#t.valueOrThrow()}};var _={};l(_,{PCombinator:()=>H,\
pQuerySelector:()=>fe,pQuerySelectorAll:()=>$});var a=class{static async*map(e,r){for await(let o of e)yield a\
wait r(o)}static async*flatMap(e,r){for await(let o of e)yield*r(o)}static async collect(e){let r=[];for await\
(let o of e)r.push(o);return r}static async first(e){for await(let r of e)return r}};var C={};l(C,{textQuerySe\
lectorAll:()=>m});var re=new Set(["checkbox","image","radio"]),oe=t=>t instanceof HTMLSelectElement||t instanc\
eof HTMLTextAreaElement||t instanceof HTMLInputElement&&!re.has(t.type),se=new Set(["SCRIPT","STYLE"]),f=t=>!s\
e.has(t.nodeName)&&!document.head?.contains(t),I=new WeakMap,F=t=>{for(;t;)I.delete(t),t instanceof ShadowRoot\
?t=t.host:t=t.parentNode},j=new WeakSet,ne=new MutationObserver(t=>{for(let e of t)F(e.target)}),d=t=>{let e=I\
.get(t);if(e||(e={full:"",immediate:[]},!f(t)))return e;let r="";if(oe(t))e.full=t.value,e.immediate.push(t.va\
lue),t.addEventListener("input",o=>{F(o.target)},{once:!0,capture:!0});else{for(let o=t.firstChild;o;o=o.nextS\
ibling){if(o.nodeType===Node.TEXT_NODE){e.full+=o.nodeValue??"",r+=o.nodeValue??"";continue}r&&e.immediate.pus\
h(r),r="",o.nodeType===Node.ELEMENT_NODE&&(e.full+=d(o).full)}r&&e.immediate.push(r),t instanceof Element&&t.s\
hadowRoot&&(e.full+=d(t.shadowRoot).full),j.has(t)||(ne.observe(t,{childList:!0,characterData:!0,subtree:!0}),\
j.add(t))}return I.set(t,e),e};var m=function*(t,e){let r=!1;for(let o of t.childNodes)if(o instanceof Element\
&&f(o)){let s;o.shadowRoot?s=m(o.shadowRoot,e):s=m(o,e);for(let i of s)yield i,r=!0}r||t instanceof Element&&f\
(t)&&d(t).full.includes(e)&&(yield t)};var k={};l(k,{checkVisibility:()=>le,pierce:()=>S,pierceAll:()=>O});var\
 ie=["hidden","collapse"],le=(t,e)=>{if(!t)return e===!1;if(e===void 0)return t;let r=t.nodeType===Node.TEXT_N\
ODE?t.parentElement:t,o=window.getComputedStyle(r),s=o&&!ie.includes(o.visibility)&&!ae(r);return e===s?t:!1};\
function ae(t){let e=t.getBoundingClientRect();return e.width===0||e.height===0}var ce=t=>"shadowRoot"in t&&t.\
shadowRoot instanceof ShadowRoot;function*S(t){ce(t)?yield t.shadowRoot:yield t}function*O(t){t=S(t).next().va\
lue,yield t;let e=[document.createTreeWalker(t,NodeFilter.SHOW_ELEMENT)];for(let r of e){let o;for(;o=r.nextNo\
de();)o.shadowRoot&&(yield o.shadowRoot,e.push(document.createTreeWalker(o.shadowRoot,NodeFilter.SHOW_ELEMENT)\
))}}var D={};l(D,{xpathQuerySelectorAll:()=>q});var q=function*(t,e,r=-1){let s=(t.ownerDocument||document).ev\
aluate(e,t,null,XPathResult.ORDERED_NODE_ITERATOR_TYPE),i=[],n;for(;(n=s.iterateNext())&&(i.push(n),!(r&&i.len\
gth===r)););for(let h=0;h<i.length;h++)n=i[h],yield n,i[h]=null};var ue=/[-\\w\\P{ASCII}*]/u,H=(r=>(r.Descendent\
=">>>",r.Child=">>>>",r))(H||{}),V=t=>"querySelectorAll"in t,Q=class{#e;#r=[];#o=void 0;elements;constructor(e\
,r){this.elements=[e],this.#e=r,this.#t()}async run(){for(typeof this.#o=="string"&&this.#o.trimStart()===":sc\
ope"&&this.#t();this.#o!==void 0;this.#t()){let e=this.#o;typeof e=="string"?e[0]&&ue.test(e[0])?this.elements\
=a.flatMap(this.elements,async function*(r){V(r)&&(yield*r.querySelectorAll(e))}):this.elements=a.flatMap(this\
.elements,async function*(r){if(!r.parentElement){if(!V(r))return;yield*r.querySelectorAll(e);return}let o=0;f\
or(let s of r.parentElement.children)if(++o,s===r)break;yield*r.parentElement.querySelectorAll(`:scope>:nth-ch\
ild(${o})${e}`)}):this.elements=a.flatMap(this.elements,async function*(r){switch(e.name){case"text":yield*m(r\
,e.value);break;case"xpath":yield*q(r,e.value);break;case"aria":yield*x(r,e.value);break;default:let o=P.get(e\
.name);if(!o)throw new Error(`Unknown selector type: ${e.name}`);yield*o.querySelectorAll(r,e.value)}})}}#t(){\
if(this.#r.length!==0){this.#o=this.#r.shift();return}if(this.#e.length===0){this.#o=void 0;return}let e=this.\
#e.shift();switch(e){case">>>>":{this.elements=a.flatMap(this.elements,S),this.#t();break}case">>>":{this.elem\
ents=a.flatMap(this.elements,O),this.#t();break}default:this.#r=e,this.#t();break}}},M=class{#e=new WeakMap;ca\
lculate(e,r=[]){if(e===null)return r;e instanceof ShadowRoot&&(e=e.host);let o=this.#e.get(e);if(o)return[...o\
,...r];let s=0;for(let n=e.previousSibling;n;n=n.previousSibling)++s;let i=this.calculate(e.parentNode,[s]);re\
turn this.#e.set(e,i),[...i,...r]}},U=(t,e)=>{if(t.length+e.length===0)return 0;let[r=-1,...o]=t,[s=-1,...i]=e\
;return r===s?U(o,i):r<s?-1:1},de=async function*(t){let e=new Set;for await(let o of t)e.add(o);let r=new M;y\
ield*[...e.values()].map(o=>[o,r.calculate(o)]).sort(([,o],[,s])=>U(o,s)).map(([o])=>o)},$=function(t,e){let r\
=JSON.parse(e);if(r.some(o=>{let s=0;return o.some(i=>(typeof i=="string"?++s:s=0,s>1))}))throw new Error("Mul\
tiple deep combinators found in sequence.");return de(a.flatMap(r,o=>{let s=new Q(t,o);return s.run(),s.elemen\
ts}))},fe=async function(t,e){for await(let r of $(t,e))return r;return null};var me=Object.freeze({...b,...A,\
...R,..._,...C,...k,...D,...E,Deferred:c,createFunction:W,createTextContent:d,IntervalPoller:T,isSuitableNodeF\
orTextMatching:f,MutationPoller:y,RAFPoller:w}),he=me;\n';var ScriptInjector=class{#updated=!1;#amendments=new Set;append(statement){this.#update(()=>{this.#amendments.
add(statement)})}pop(statement){this.#update(()=>{this.#amendments.delete(statement)})}inject(inject,force=!1){
(this.#updated||force)&&inject(this.#get()),this.#updated=!1}#update(callback){callback(),this.#updated=!0}#get(){
return`(() => {
      const module = {};
      ${source}
      ${[...this.#amendments].map(statement=>`(${statement})(module.exports.default);`).join("")}
      return module.exports.default;
    })()`}},scriptInjector=new ScriptInjector;var CustomQueryHandlerRegistry=class{#handlers=new Map;get(name){let handler=this.#handlers.get(name);return handler?
handler[1]:void 0}register(name,handler){assert(!this.#handlers.has(name),`Cannot register over existing handl\
er: ${name}`),assert(/^[a-zA-Z]+$/.test(name),"Custom query handler names may only contain [a-zA-Z]"),assert(handler.
queryAll||handler.queryOne,"At least one query method must be implemented.");let Handler=class extends QueryHandler{static querySelectorAll=interpolateFunction(
(node,selector,PuppeteerUtil)=>PuppeteerUtil.customQuerySelectors.get(PLACEHOLDER("name")).querySelectorAll(node,
selector),{name:JSON.stringify(name)});static querySelector=interpolateFunction((node,selector,PuppeteerUtil)=>PuppeteerUtil.
customQuerySelectors.get(PLACEHOLDER("name")).querySelector(node,selector),{name:JSON.stringify(name)})},registerScript=interpolateFunction(
PuppeteerUtil=>{PuppeteerUtil.customQuerySelectors.register(PLACEHOLDER("name"),{queryAll:PLACEHOLDER("queryAl\
l"),queryOne:PLACEHOLDER("queryOne")})},{name:JSON.stringify(name),queryAll:handler.queryAll?stringifyFunction(
handler.queryAll):String(void 0),queryOne:handler.queryOne?stringifyFunction(handler.queryOne):String(void 0)}).
toString();this.#handlers.set(name,[registerScript,Handler]),scriptInjector.append(registerScript)}unregister(name){
let handler=this.#handlers.get(name);if(!handler)throw new Error(`Cannot unregister unknown handler: ${name}`);
scriptInjector.pop(handler[0]),this.#handlers.delete(name)}names(){return[...this.#handlers.keys()]}clear(){for(let[
registerScript]of this.#handlers)scriptInjector.pop(registerScript);this.#handlers.clear()}},customQueryHandlers=new CustomQueryHandlerRegistry;var PierceQueryHandler=class extends QueryHandler{static querySelector=(element,selector,{pierceQuerySelector})=>pierceQuerySelector(
element,selector);static querySelectorAll=(element,selector,{pierceQuerySelectorAll})=>pierceQuerySelectorAll(
element,selector)};var PQueryHandler=class extends QueryHandler{static querySelectorAll=(element,selector,{pQuerySelectorAll})=>pQuerySelectorAll(
element,selector);static querySelector=(element,selector,{pQuerySelector})=>pQuerySelector(element,selector)};var TOKENS={attribute:/\[\s*(?:(?<namespace>\*|[-\w\P{ASCII}]*)\|)?(?<name>[-\w\P{ASCII}]+)\s*(?:(?<operator>\W?=)\s*(?<value>.+?)\s*(\s(?<caseSensitive>[iIsS]))?\s*)?\]/gu,
id:/#(?<name>[-\w\P{ASCII}]+)/gu,class:/\.(?<name>[-\w\P{ASCII}]+)/gu,comma:/\s*,\s*/g,combinator:/\s*[\s>+~]\s*/g,
"pseudo-element":/::(?<name>[-\w\P{ASCII}]+)(?:\((?<argument>¶*)\))?/gu,"pseudo-class":/:(?<name>[-\w\P{ASCII}]+)(?:\((?<argument>¶*)\))?/gu,
universal:/(?:(?<namespace>\*|[-\w\P{ASCII}]*)\|)?\*/gu,type:/(?:(?<namespace>\*|[-\w\P{ASCII}]*)\|)?(?<name>[-\w\P{ASCII}]+)/gu},
TRIM_TOKENS=new Set(["combinator","comma"]),getArgumentPatternByType=type=>{switch(type){case"pseudo-element":case"\
pseudo-class":return new RegExp(TOKENS[type].source.replace("(?<argument>\xB6*)","(?<argument>.*)"),"gu");default:
return TOKENS[type]}};function gobbleParens(text,offset){let nesting=0,result="";for(;offset<text.length;offset++){
let char=text[offset];switch(char){case"(":++nesting;break;case")":--nesting;break}if(result+=char,nesting===0)
return result}return result}function tokenizeBy(text,grammar=TOKENS){if(!text)return[];let tokens=[text];for(let[
type,pattern]of Object.entries(grammar))for(let i=0;i<tokens.length;i++){let token=tokens[i];if(typeof token!=
"string")continue;pattern.lastIndex=0;let match=pattern.exec(token);if(!match)continue;let from2=match.index-1,
args=[],content=match[0],before=token.slice(0,from2+1);before&&args.push(before),args.push({...match.groups,type,
content});let after=token.slice(from2+content.length+1);after&&args.push(after),tokens.splice(i,1,...args)}let offset=0;
for(let token of tokens)switch(typeof token){case"string":throw new Error(`Unexpected sequence ${token} found \
at index ${offset}`);case"object":offset+=token.content.length,token.pos=[offset-token.content.length,offset],
TRIM_TOKENS.has(token.type)&&(token.content=token.content.trim()||" ");break}return tokens}var STRING_PATTERN=/(['"])([^\\\n]*?)\1/g,
ESCAPE_PATTERN=/\\./g;function tokenize(selector,grammar=TOKENS){if(selector=selector.trim(),selector==="")return[];
let replacements=[];selector=selector.replace(ESCAPE_PATTERN,(value,offset)=>(replacements.push({value,offset}),
"\uE000".repeat(value.length))),selector=selector.replace(STRING_PATTERN,(value,quote,content,offset)=>(replacements.
push({value,offset}),`${quote}${"\uE001".repeat(content.length)}${quote}`));{let pos=0,offset;for(;(offset=selector.
indexOf("(",pos))>-1;){let value=gobbleParens(selector,offset);replacements.push({value,offset}),selector=`${selector.
substring(0,offset)}(${"\xB6".repeat(value.length-2)})${selector.substring(offset+value.length)}`,pos=offset+value.
length}}let tokens=tokenizeBy(selector,grammar),changedTokens=new Set;for(let replacement of replacements.reverse())
for(let token of tokens){let{offset,value}=replacement;if(!(token.pos[0]<=offset&&offset+value.length<=token.pos[1]))
continue;let{content}=token,tokenOffset=offset-token.pos[0];token.content=content.slice(0,tokenOffset)+value+content.
slice(tokenOffset+value.length),token.content!==content&&changedTokens.add(token)}for(let token of changedTokens){
let pattern=getArgumentPatternByType(token.type);if(!pattern)throw new Error(`Unknown token type: ${token.type}`);
pattern.lastIndex=0;let match=pattern.exec(token.content);if(!match)throw new Error(`Unable to parse content f\
or ${token.type}: ${token.content}`);Object.assign(token,match.groups)}return tokens}function stringify(listOrNode){
if(Array.isArray(listOrNode))return listOrNode.map(token=>token.content).join("");switch(listOrNode.type){case"\
list":return listOrNode.list.map(stringify).join(",");case"relative":return listOrNode.combinator+stringify(listOrNode.
right);case"complex":return stringify(listOrNode.left)+listOrNode.combinator+stringify(listOrNode.right);case"\
compound":return listOrNode.list.map(stringify).join("");default:return listOrNode.content}}TOKENS.nesting=/&/g;TOKENS.combinator=/\s*(>>>>?|[\s>+~])\s*/g;var ESCAPE_REGEXP=/\\[\s\S]/g,unquote=text=>text.
length<=1?text:((text[0]==='"'||text[0]==="'")&&text.endsWith(text[0])&&(text=text.slice(1,-1)),text.replace(ESCAPE_REGEXP,
match=>match[1]));function parsePSelectors(selector){let isPureCSS=!0,hasAria=!1,hasPseudoClasses=!1,tokens=tokenize(
selector);if(tokens.length===0)return[[],isPureCSS,hasPseudoClasses,!1];let compoundSelector=[],complexSelector=[
compoundSelector],selectors=[complexSelector],storage=[];for(let token of tokens){switch(token.type){case"comb\
inator":switch(token.content){case">>>":isPureCSS=!1,storage.length&&(compoundSelector.push(stringify(storage)),
storage.splice(0)),compoundSelector=[],complexSelector.push(">>>"),complexSelector.push(compoundSelector);continue;case"\
>>>>":isPureCSS=!1,storage.length&&(compoundSelector.push(stringify(storage)),storage.splice(0)),compoundSelector=
[],complexSelector.push(">>>>"),complexSelector.push(compoundSelector);continue}break;case"pseudo-element":if(!token.
name.startsWith("-p-"))break;isPureCSS=!1,storage.length&&(compoundSelector.push(stringify(storage)),storage.splice(
0));let name=token.name.slice(3);name==="aria"&&(hasAria=!0),compoundSelector.push({name,value:unquote(token.argument??
"")});continue;case"pseudo-class":hasPseudoClasses=!0;break;case"comma":storage.length&&(compoundSelector.push(
stringify(storage)),storage.splice(0)),compoundSelector=[],complexSelector=[compoundSelector],selectors.push(complexSelector);
continue}storage.push(token)}return storage.length&&compoundSelector.push(stringify(storage)),[selectors,isPureCSS,
hasPseudoClasses,hasAria]}var TextQueryHandler=class extends QueryHandler{static querySelectorAll=(element,selector,{textQuerySelectorAll})=>textQuerySelectorAll(
element,selector)};var XPathQueryHandler=class extends QueryHandler{static querySelectorAll=(element,selector,{xpathQuerySelectorAll})=>xpathQuerySelectorAll(
element,selector);static querySelector=(element,selector,{xpathQuerySelectorAll})=>{for(let result of xpathQuerySelectorAll(
element,selector,1))return result;return null}};var BUILTIN_QUERY_HANDLERS={aria:ARIAQueryHandler,pierce:PierceQueryHandler,xpath:XPathQueryHandler,text:TextQueryHandler},
QUERY_SEPARATORS=["=","/"];function getQueryHandlerAndSelector(selector){for(let handlerMap of[customQueryHandlers.
names().map(name=>[name,customQueryHandlers.get(name)]),Object.entries(BUILTIN_QUERY_HANDLERS)])for(let[name,QueryHandler2]of handlerMap)
for(let separator of QUERY_SEPARATORS){let prefix=`${name}${separator}`;if(selector.startsWith(prefix))return selector=
selector.slice(prefix.length),{updatedSelector:selector,polling:name==="aria"?"raf":"mutation",QueryHandler:QueryHandler2}}
try{let[pSelector,isPureCSS,hasPseudoClasses,hasAria]=parsePSelectors(selector);return isPureCSS?{updatedSelector:selector,
polling:hasPseudoClasses?"raf":"mutation",QueryHandler:CSSQueryHandler}:{updatedSelector:JSON.stringify(pSelector),
polling:hasAria?"raf":"mutation",QueryHandler:PQueryHandler}}catch{return{updatedSelector:selector,polling:"mu\
tation",QueryHandler:CSSQueryHandler}}}var __addDisposableResource3=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources3=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),instances=new WeakSet;function moveable(Class,_2){let hasDispose=!1;
if(Class.prototype[disposeSymbol]){let dispose=Class.prototype[disposeSymbol];Class.prototype[disposeSymbol]=function(){
if(instances.has(this)){instances.delete(this);return}return dispose.call(this)},hasDispose=!0}if(Class.prototype[asyncDisposeSymbol]){
let asyncDispose=Class.prototype[asyncDisposeSymbol];Class.prototype[asyncDisposeSymbol]=function(){if(instances.
has(this)){instances.delete(this);return}return asyncDispose.call(this)},hasDispose=!0}return hasDispose&&(Class.
prototype.move=function(){return instances.add(this),this}),Class}function throwIfDisposed(message=value=>`Att\
empted to use disposed ${value.constructor.name}.`){return(target,_2)=>function(...args){if(this.disposed)throw new Error(
message(this));return target.call(this,...args)}}function invokeAtMostOnceForArguments(target,_2){let cache=new WeakMap,cacheDepth=-1;return function(...args){
if(cacheDepth===-1&&(cacheDepth=args.length),cacheDepth!==args.length)throw new Error("Memoized method was cal\
led with the wrong number of arguments");let freshArguments=!1,cacheIterator=cache;for(let arg of args)cacheIterator.
has(arg)||(freshArguments=!0,cacheIterator.set(arg,new WeakMap)),cacheIterator=cacheIterator.get(arg);if(freshArguments)
return target.call(this,...args)}}function guarded(getKey=function(){return this}){return(target,_2)=>{let mutexes=new WeakMap;
return async function(...args){let env_1={stack:[],error:void 0,hasError:!1};try{let key=getKey.call(this),mutex=mutexes.
get(key);mutex||(mutex=new Mutex,mutexes.set(key,mutex));let _3=__addDisposableResource3(env_1,await mutex.acquire(),
!0);return await target.call(this,...args)}catch(e_1){env_1.error=e_1,env_1.hasError=!0}finally{let result_1=__disposeResources3(
env_1);result_1&&await result_1}}}}var __runInitializers=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},__addDisposableResource4=function(env,value,async2){
if(value!=null){if(typeof value!="object"&&typeof value!="function")throw new TypeError("Object expected.");var dispose,
inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError("Symbol.asyncDispose is not defined.");dispose=value[Symbol.
asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)throw new TypeError("Symbol.dispose is not defined.");dispose=
value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!="function")throw new TypeError("Object not di\
sposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){return Promise.reject(e)}}),env.stack.push(
{value,dispose,async:async2})}else async2&&env.stack.push({async:!0});return value},__disposeResources4=(function(SuppressedError3){
return function(env){function fail(e){env.error=env.hasError?new SuppressedError3(e,env.error,"An error was su\
ppressed during disposal."):e,env.hasError=!0}var r,s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&
s===1)return s=0,env.stack.push(r),Promise.resolve().then(next);if(r.dispose){var result=r.dispose.call(r.value);
if(r.async)return s|=2,Promise.resolve(result).then(next,function(e){return fail(e),next()})}else s|=1}catch(e){
fail(e)}if(s===1)return env.hasError?Promise.reject(env.error):Promise.resolve();if(env.hasError)throw env.error}
return next()}})(typeof SuppressedError=="function"?SuppressedError:function(error,suppressed,message){var e=new Error(
message);return e.name="SuppressedError",e.error=error,e.suppressed=suppressed,e}),JSHandle=(()=>{let _classDecorators=[
moveable],_classDescriptor,_classExtraInitializers=[],_classThis,_instanceExtraInitializers=[],_getProperty_decorators,
_getProperties_decorators;var JSHandle2=class{static{_classThis=this}static{let _metadata=typeof Symbol=="func\
tion"&&Symbol.metadata?Object.create(null):void 0;__esDecorate(this,null,_getProperty_decorators,{kind:"method",
name:"getProperty",static:!1,private:!1,access:{has:obj=>"getProperty"in obj,get:obj=>obj.getProperty},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate(this,null,_getProperties_decorators,{kind:"method",name:"getProp\
erties",static:!1,private:!1,access:{has:obj=>"getProperties"in obj,get:obj=>obj.getProperties},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate(null,_classDescriptor={value:_classThis},_classDecorators,{kind:"\
class",name:_classThis.name,metadata:_metadata},null,_classExtraInitializers),JSHandle2=_classThis=_classDescriptor.
value,_metadata&&Object.defineProperty(_classThis,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:_metadata}),
__runInitializers(_classThis,_classExtraInitializers)}constructor(){__runInitializers(this,_instanceExtraInitializers)}async evaluate(pageFunction,...args){
return pageFunction=withSourcePuppeteerURLIfNone(this.evaluate.name,pageFunction),await this.realm.evaluate(pageFunction,
this,...args)}async evaluateHandle(pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(this.
evaluateHandle.name,pageFunction),await this.realm.evaluateHandle(pageFunction,this,...args)}async getProperty(propertyName){
return await this.evaluateHandle((object,propertyName2)=>object[propertyName2],propertyName)}async getProperties(){
let propertyNames=await this.evaluate(object=>{let enumerableProperties=[],descriptors=Object.getOwnPropertyDescriptors(
object);for(let propertyName in descriptors)descriptors[propertyName]?.enumerable&&enumerableProperties.push(propertyName);
return enumerableProperties}),map2=new Map,results=await Promise.all(propertyNames.map(key=>this.getProperty(key)));
for(let[key,value]of Object.entries(propertyNames)){let env_1={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource4(
env_1,results[key],!1);handle&&map2.set(value,handle.move())}catch(e_1){env_1.error=e_1,env_1.hasError=!0}finally{
__disposeResources4(env_1)}}return map2}[(_getProperty_decorators=[throwIfDisposed()],_getProperties_decorators=
[throwIfDisposed()],disposeSymbol)](){this[asyncDisposeSymbol]().catch(debugError)}[asyncDisposeSymbol](){return this.
dispose()}};return JSHandle2=_classThis})();var __addDisposableResource5=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources5=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),LocatorEvent;(function(LocatorEvent2){LocatorEvent2.Action="action"})(
LocatorEvent||(LocatorEvent={}));var Locator=class extends EventEmitter{static race(locators){return RaceLocator.
create(locators)}visibility=null;_timeout=3e4;#ensureElementIsInTheViewport=!0;#waitForEnabled=!0;#waitForStableBoundingBox=!0;operators={
conditions:(conditions,signal)=>mergeMap(handle=>merge(...conditions.map(condition=>condition(handle,signal))).
pipe(defaultIfEmpty(handle))),retryAndRaceWithSignalAndTimer:(signal,cause)=>{let candidates=[];return signal&&
candidates.push(fromAbortSignal(signal,cause)),candidates.push(timeout(this._timeout,cause)),pipe(retry({delay:RETRY_DELAY}),
raceWith(...candidates))}};get timeout(){return this._timeout}setTimeout(timeout2){let locator=this._clone();return locator.
_timeout=timeout2,locator}setVisibility(visibility){let locator=this._clone();return locator.visibility=visibility,
locator}setWaitForEnabled(value){let locator=this._clone();return locator.#waitForEnabled=value,locator}setEnsureElementIsInTheViewport(value){
let locator=this._clone();return locator.#ensureElementIsInTheViewport=value,locator}setWaitForStableBoundingBox(value){
let locator=this._clone();return locator.#waitForStableBoundingBox=value,locator}copyOptions(locator){return this.
_timeout=locator._timeout,this.visibility=locator.visibility,this.#waitForEnabled=locator.#waitForEnabled,this.#ensureElementIsInTheViewport=
locator.#ensureElementIsInTheViewport,this.#waitForStableBoundingBox=locator.#waitForStableBoundingBox,this}#waitForEnabledIfNeeded=(handle,signal)=>this.#waitForEnabled?
from(handle.frame.waitForFunction(element=>element instanceof HTMLElement?!["BUTTON","INPUT","SELECT","TEXTARE\
A","OPTION","OPTGROUP"].includes(element.nodeName)||!element.hasAttribute("disabled"):!0,{timeout:this._timeout,
signal},handle)).pipe(ignoreElements()):EMPTY;#waitForStableBoundingBoxIfNeeded=handle=>this.#waitForStableBoundingBox?
defer(()=>from(handle.evaluate(element=>new Promise(resolve=>{window.requestAnimationFrame(()=>{let rect1=element.
getBoundingClientRect();window.requestAnimationFrame(()=>{let rect2=element.getBoundingClientRect();resolve([{
x:rect1.x,y:rect1.y,width:rect1.width,height:rect1.height},{x:rect2.x,y:rect2.y,width:rect2.width,height:rect2.
height}])})})})))).pipe(first(([rect1,rect2])=>rect1.x===rect2.x&&rect1.y===rect2.y&&rect1.width===rect2.width&&
rect1.height===rect2.height),retry({delay:RETRY_DELAY}),ignoreElements()):EMPTY;#ensureElementIsInTheViewportIfNeeded=handle=>this.#ensureElementIsInTheViewport?
from(handle.isIntersectingViewport({threshold:0})).pipe(filter(isIntersectingViewport=>!isIntersectingViewport),
mergeMap(()=>from(handle.scrollIntoView())),mergeMap(()=>defer(()=>from(handle.isIntersectingViewport({threshold:0}))).
pipe(first(identity),retry({delay:RETRY_DELAY}),ignoreElements()))):EMPTY;#click(options){let signal=options?.
signal,cause=new Error("Locator.click");return this._wait(options).pipe(this.operators.conditions([this.#ensureElementIsInTheViewportIfNeeded,
this.#waitForStableBoundingBoxIfNeeded,this.#waitForEnabledIfNeeded],signal),tap(()=>this.emit(LocatorEvent.Action,
void 0)),mergeMap(handle=>from(handle.click(options)).pipe(catchError(err=>{throw handle.dispose().catch(debugError),
err}))),this.operators.retryAndRaceWithSignalAndTimer(signal,cause))}#fill(value,options){let signal=options?.
signal,typingThreshold=options?.typingThreshold??100,cause=new Error("Locator.fill");return this._wait(options).
pipe(this.operators.conditions([this.#ensureElementIsInTheViewportIfNeeded,this.#waitForStableBoundingBoxIfNeeded,
this.#waitForEnabledIfNeeded],signal),tap(()=>this.emit(LocatorEvent.Action,void 0)),mergeMap(handle=>from(handle.
evaluate(el=>{if(el instanceof HTMLSelectElement)return"select";if(el instanceof HTMLTextAreaElement)return"ty\
peable-input";if(el instanceof HTMLInputElement)switch(el.type){case"checkbox":case"radio":return"checkable-in\
put";case"text":case"url":case"tel":case"search":case"password":case"number":case"email":return"typeable-input";default:
return"other-input"}switch(el.getAttribute("role")){case"checkbox":case"radio":case"switch":return"checkable-i\
nput"}return el.isContentEditable?"contenteditable":"unknown"})).pipe(mergeMap(inputType=>{let fillDirectly=()=>from(
handle.focus()).pipe(mergeMap(()=>from(handle.evaluate((input,newValue)=>{let element=input,valString=String(newValue);
(element.isContentEditable?element.innerText:element.value)!==valString&&(element.isContentEditable?element.innerText=
valString:element.value=valString,element.dispatchEvent(new Event("input",{bubbles:!0})),element.dispatchEvent(
new Event("change",{bubbles:!0})))},value)))),toggleIfNeeded=()=>from(handle.evaluate(toggleEl=>toggleEl.indeterminate||
toggleEl.getAttribute("aria-checked")==="mixed"?"mixed":toggleEl.checked||toggleEl.getAttribute("aria-checked")===
"true")).pipe(mergeMap(currentState=>currentState==="mixed"||currentState!==!!value?from(handle.click()):of(void 0)));
switch(inputType){case"checkable-input":return toggleIfNeeded();case"select":return from(handle.select(value).
then(noop));case"contenteditable":case"typeable-input":return typeof value=="string"&&value.length<typingThreshold?
from(handle.evaluate((input,newValue)=>{let element=input,valString=String(newValue),currentValue=element.isContentEditable?
element.innerText:input.value;return currentValue===valString?"":!valString.startsWith(currentValue)||!currentValue?
(element.isContentEditable?element.innerText="":input.value="",valString):(element.isContentEditable?(element.
innerText="",element.innerText=currentValue):(input.value="",input.value=currentValue),valString.substring(currentValue.
length))},value)).pipe(mergeMap(textToType=>textToType?from(handle.type(textToType)):of(void 0))):fillDirectly();case"\
other-input":return fillDirectly();case"unknown":throw new Error("Element cannot be filled out.")}})).pipe(catchError(
err=>{throw handle.dispose().catch(debugError),err}))),this.operators.retryAndRaceWithSignalAndTimer(signal,cause))}#hover(options){
let signal=options?.signal,cause=new Error("Locator.hover");return this._wait(options).pipe(this.operators.conditions(
[this.#ensureElementIsInTheViewportIfNeeded,this.#waitForStableBoundingBoxIfNeeded],signal),tap(()=>this.emit(
LocatorEvent.Action,void 0)),mergeMap(handle=>from(handle.hover()).pipe(catchError(err=>{throw handle.dispose().
catch(debugError),err}))),this.operators.retryAndRaceWithSignalAndTimer(signal,cause))}#scroll(options){let signal=options?.
signal,cause=new Error("Locator.scroll");return this._wait(options).pipe(this.operators.conditions([this.#ensureElementIsInTheViewportIfNeeded,
this.#waitForStableBoundingBoxIfNeeded],signal),tap(()=>this.emit(LocatorEvent.Action,void 0)),mergeMap(handle=>from(
handle.evaluate((el,scrollTop,scrollLeft)=>{scrollTop!==void 0&&(el.scrollTop=scrollTop),scrollLeft!==void 0&&
(el.scrollLeft=scrollLeft)},options?.scrollTop,options?.scrollLeft)).pipe(catchError(err=>{throw handle.dispose().
catch(debugError),err}))),this.operators.retryAndRaceWithSignalAndTimer(signal,cause))}clone(){return this._clone()}async waitHandle(options){
let cause=new Error("Locator.waitHandle");return await firstValueFrom(this._wait(options).pipe(this.operators.
retryAndRaceWithSignalAndTimer(options?.signal,cause)))}async wait(options){let env_1={stack:[],error:void 0,hasError:!1};
try{return await __addDisposableResource5(env_1,await this.waitHandle(options),!1).jsonValue()}catch(e_1){env_1.
error=e_1,env_1.hasError=!0}finally{__disposeResources5(env_1)}}map(mapper){return new MappedLocator(this._clone(),
handle=>handle.evaluateHandle(mapper))}filter(predicate){return new FilteredLocator(this._clone(),async(handle,signal)=>(await handle.
frame.waitForFunction(predicate,{signal,timeout:this._timeout},handle),!0))}filterHandle(predicate){return new FilteredLocator(
this._clone(),predicate)}mapHandle(mapper){return new MappedLocator(this._clone(),mapper)}click(options){return firstValueFrom(
this.#click(options))}fill(value,options){return firstValueFrom(this.#fill(value,options))}hover(options){return firstValueFrom(
this.#hover(options))}scroll(options){return firstValueFrom(this.#scroll(options))}},FunctionLocator=class _FunctionLocator extends Locator{static create(pageOrFrame,func){
return new _FunctionLocator(pageOrFrame,func).setTimeout("getDefaultTimeout"in pageOrFrame?pageOrFrame.getDefaultTimeout():
pageOrFrame.page().getDefaultTimeout())}#pageOrFrame;#func;constructor(pageOrFrame,func){super(),this.#pageOrFrame=
pageOrFrame,this.#func=func}_clone(){return new _FunctionLocator(this.#pageOrFrame,this.#func)}_wait(options){
let signal=options?.signal;return defer(()=>from(this.#pageOrFrame.waitForFunction(this.#func,{timeout:this.timeout,
signal}))).pipe(throwIfEmpty())}},DelegatedLocator=class extends Locator{#delegate;constructor(delegate){super(),
this.#delegate=delegate,this.copyOptions(this.#delegate)}get delegate(){return this.#delegate}setTimeout(timeout2){
let locator=super.setTimeout(timeout2);return locator.#delegate=this.#delegate.setTimeout(timeout2),locator}setVisibility(visibility){
let locator=super.setVisibility(visibility);return locator.#delegate=locator.#delegate.setVisibility(visibility),
locator}setWaitForEnabled(value){let locator=super.setWaitForEnabled(value);return locator.#delegate=this.#delegate.
setWaitForEnabled(value),locator}setEnsureElementIsInTheViewport(value){let locator=super.setEnsureElementIsInTheViewport(
value);return locator.#delegate=this.#delegate.setEnsureElementIsInTheViewport(value),locator}setWaitForStableBoundingBox(value){
let locator=super.setWaitForStableBoundingBox(value);return locator.#delegate=this.#delegate.setWaitForStableBoundingBox(
value),locator}},FilteredLocator=class _FilteredLocator extends DelegatedLocator{#predicate;constructor(base,predicate){
super(base),this.#predicate=predicate}_clone(){return new _FilteredLocator(this.delegate.clone(),this.#predicate).
copyOptions(this)}_wait(options){return this.delegate._wait(options).pipe(mergeMap(handle=>from(Promise.resolve(
this.#predicate(handle,options?.signal))).pipe(filter(value=>value),map(()=>handle))),throwIfEmpty())}},MappedLocator=class _MappedLocator extends DelegatedLocator{#mapper;constructor(base,mapper){
super(base),this.#mapper=mapper}_clone(){return new _MappedLocator(this.delegate.clone(),this.#mapper).copyOptions(
this)}_wait(options){return this.delegate._wait(options).pipe(mergeMap(handle=>from(Promise.resolve(this.#mapper(
handle,options?.signal)))))}},NodeLocator=class _NodeLocator extends Locator{static create(pageOrFrame,selector){
return new _NodeLocator(pageOrFrame,selector).setTimeout("getDefaultTimeout"in pageOrFrame?pageOrFrame.getDefaultTimeout():
pageOrFrame.page().getDefaultTimeout())}static createFromHandle(pageOrFrame,handle){return new _NodeLocator(pageOrFrame,
handle).setTimeout("getDefaultTimeout"in pageOrFrame?pageOrFrame.getDefaultTimeout():pageOrFrame.page().getDefaultTimeout())}#pageOrFrame;#selectorOrHandle;constructor(pageOrFrame,selectorOrHandle){
super(),this.#pageOrFrame=pageOrFrame,this.#selectorOrHandle=selectorOrHandle}#waitForVisibilityIfNeeded=handle=>this.
visibility?(()=>{switch(this.visibility){case"hidden":return defer(()=>from(handle.isHidden()));case"visible":
return defer(()=>from(handle.isVisible()))}})().pipe(first(identity),retry({delay:RETRY_DELAY}),ignoreElements()):
EMPTY;_clone(){return new _NodeLocator(this.#pageOrFrame,this.#selectorOrHandle).copyOptions(this)}_wait(options){
let signal=options?.signal;return defer(()=>typeof this.#selectorOrHandle=="string"?from(this.#pageOrFrame.waitForSelector(
this.#selectorOrHandle,{visible:!1,timeout:this._timeout,signal})):of(this.#selectorOrHandle)).pipe(filter(value=>value!==
null),throwIfEmpty(),this.operators.conditions([this.#waitForVisibilityIfNeeded],signal))}};function checkLocatorArray(locators){
for(let locator of locators)if(!(locator instanceof Locator))throw new Error("Unknown locator for race candida\
te");return locators}var RaceLocator=class _RaceLocator extends Locator{static create(locators){let array=checkLocatorArray(
locators);return new _RaceLocator(array)}#locators;constructor(locators){super(),this.#locators=locators}_clone(){
return new _RaceLocator(this.#locators.map(locator=>locator.clone())).copyOptions(this)}_wait(options){return race(
...this.#locators.map(locator=>locator._wait(options)))}},RETRY_DELAY=100;var __runInitializers2=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate2=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},__addDisposableResource6=function(env,value,async2){
if(value!=null){if(typeof value!="object"&&typeof value!="function")throw new TypeError("Object expected.");var dispose,
inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError("Symbol.asyncDispose is not defined.");dispose=value[Symbol.
asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)throw new TypeError("Symbol.dispose is not defined.");dispose=
value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!="function")throw new TypeError("Object not di\
sposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){return Promise.reject(e)}}),env.stack.push(
{value,dispose,async:async2})}else async2&&env.stack.push({async:!0});return value},__disposeResources6=(function(SuppressedError3){
return function(env){function fail(e){env.error=env.hasError?new SuppressedError3(e,env.error,"An error was su\
ppressed during disposal."):e,env.hasError=!0}var r,s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&
s===1)return s=0,env.stack.push(r),Promise.resolve().then(next);if(r.dispose){var result=r.dispose.call(r.value);
if(r.async)return s|=2,Promise.resolve(result).then(next,function(e){return fail(e),next()})}else s|=1}catch(e){
fail(e)}if(s===1)return env.hasError?Promise.reject(env.error):Promise.resolve();if(env.hasError)throw env.error}
return next()}})(typeof SuppressedError=="function"?SuppressedError:function(error,suppressed,message){var e=new Error(
message);return e.name="SuppressedError",e.error=error,e.suppressed=suppressed,e}),__setFunctionName=function(f,name,prefix){
return typeof name=="symbol"&&(name=name.description?"[".concat(name.description,"]"):""),Object.defineProperty(
f,"name",{configurable:!0,value:prefix?"".concat(prefix," ",name):name})};function bindIsolatedHandle(target,_2){
return async function(...args){if(this.realm===this.frame.isolatedRealm())return await target.call(this,...args);
let adoptedThis;this.isolatedHandle?adoptedThis=this.isolatedHandle:this.isolatedHandle=adoptedThis=await this.
frame.isolatedRealm().adoptHandle(this);let result=await target.call(adoptedThis,...args);return result===adoptedThis?
this:result instanceof JSHandle?await this.realm.transferHandle(result):(Array.isArray(result)&&await Promise.
all(result.map(async(item,index,result2)=>{item instanceof JSHandle&&(result2[index]=await this.realm.transferHandle(
item))})),result instanceof Map&&await Promise.all([...result.entries()].map(async([key,value])=>{value instanceof
JSHandle&&result.set(key,await this.realm.transferHandle(value))})),result)}}var ElementHandle=(()=>{let _classSuper=JSHandle,
_instanceExtraInitializers=[],_getProperty_decorators,_getProperties_decorators,_jsonValue_decorators,_$_decorators,
_$$_decorators,_private_$$_decorators,_private_$$_descriptor,_waitForSelector_decorators,_isVisible_decorators,
_isHidden_decorators,_toElement_decorators,_clickablePoint_decorators,_hover_decorators,_click_decorators,_drag_decorators,
_dragEnter_decorators,_dragOver_decorators,_drop_decorators,_dragAndDrop_decorators,_select_decorators,_tap_decorators,
_touchStart_decorators,_touchMove_decorators,_touchEnd_decorators,_focus_decorators,_type_decorators,_press_decorators,
_boundingBox_decorators,_boxModel_decorators,_screenshot_decorators,_isIntersectingViewport_decorators,_scrollIntoView_decorators,
_asLocator_decorators;return class ElementHandle2 extends _classSuper{static{let _metadata=typeof Symbol=="fun\
ction"&&Symbol.metadata?Object.create(_classSuper[Symbol.metadata]??null):void 0;_getProperty_decorators=[throwIfDisposed(),
bindIsolatedHandle],_getProperties_decorators=[throwIfDisposed(),bindIsolatedHandle],_jsonValue_decorators=[throwIfDisposed(),
bindIsolatedHandle],_$_decorators=[throwIfDisposed(),bindIsolatedHandle],_$$_decorators=[throwIfDisposed()],_private_$$_decorators=
[bindIsolatedHandle],_waitForSelector_decorators=[throwIfDisposed(),bindIsolatedHandle],_isVisible_decorators=
[throwIfDisposed(),bindIsolatedHandle],_isHidden_decorators=[throwIfDisposed(),bindIsolatedHandle],_toElement_decorators=
[throwIfDisposed(),bindIsolatedHandle],_clickablePoint_decorators=[throwIfDisposed(),bindIsolatedHandle],_hover_decorators=
[throwIfDisposed(),bindIsolatedHandle],_click_decorators=[throwIfDisposed(),bindIsolatedHandle],_drag_decorators=
[throwIfDisposed(),bindIsolatedHandle],_dragEnter_decorators=[throwIfDisposed(),bindIsolatedHandle],_dragOver_decorators=
[throwIfDisposed(),bindIsolatedHandle],_drop_decorators=[throwIfDisposed(),bindIsolatedHandle],_dragAndDrop_decorators=
[throwIfDisposed(),bindIsolatedHandle],_select_decorators=[throwIfDisposed(),bindIsolatedHandle],_tap_decorators=
[throwIfDisposed(),bindIsolatedHandle],_touchStart_decorators=[throwIfDisposed(),bindIsolatedHandle],_touchMove_decorators=
[throwIfDisposed(),bindIsolatedHandle],_touchEnd_decorators=[throwIfDisposed(),bindIsolatedHandle],_focus_decorators=
[throwIfDisposed(),bindIsolatedHandle],_type_decorators=[throwIfDisposed(),bindIsolatedHandle],_press_decorators=
[throwIfDisposed(),bindIsolatedHandle],_boundingBox_decorators=[throwIfDisposed(),bindIsolatedHandle],_boxModel_decorators=
[throwIfDisposed(),bindIsolatedHandle],_screenshot_decorators=[throwIfDisposed(),bindIsolatedHandle],_isIntersectingViewport_decorators=
[throwIfDisposed(),bindIsolatedHandle],_scrollIntoView_decorators=[throwIfDisposed(),bindIsolatedHandle],_asLocator_decorators=
[throwIfDisposed()],__esDecorate2(this,null,_getProperty_decorators,{kind:"method",name:"getProperty",static:!1,
private:!1,access:{has:obj=>"getProperty"in obj,get:obj=>obj.getProperty},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_getProperties_decorators,{kind:"method",name:"getProperties",static:!1,private:!1,access:{
has:obj=>"getProperties"in obj,get:obj=>obj.getProperties},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_jsonValue_decorators,{kind:"method",name:"jsonValue",static:!1,private:!1,access:{has:obj=>"\
jsonValue"in obj,get:obj=>obj.jsonValue},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,
null,_$_decorators,{kind:"method",name:"$",static:!1,private:!1,access:{has:obj=>"$"in obj,get:obj=>obj.$},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_$$_decorators,{kind:"method",name:"$$",static:!1,private:!1,
access:{has:obj=>"$$"in obj,get:obj=>obj.$$},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(
this,_private_$$_descriptor={value:__setFunctionName(async function(selector){return await this.#$$impl(selector)},
"#$$")},_private_$$_decorators,{kind:"method",name:"#$$",static:!1,private:!0,access:{has:obj=>#$$ in obj,get:obj=>obj.#$$},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_waitForSelector_decorators,{kind:"\
method",name:"waitForSelector",static:!1,private:!1,access:{has:obj=>"waitForSelector"in obj,get:obj=>obj.waitForSelector},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_isVisible_decorators,{kind:"meth\
od",name:"isVisible",static:!1,private:!1,access:{has:obj=>"isVisible"in obj,get:obj=>obj.isVisible},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_isHidden_decorators,{kind:"method",name:"isHidden",static:!1,
private:!1,access:{has:obj=>"isHidden"in obj,get:obj=>obj.isHidden},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_toElement_decorators,{kind:"method",name:"toElement",static:!1,private:!1,access:{has:obj=>"\
toElement"in obj,get:obj=>obj.toElement},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,
null,_clickablePoint_decorators,{kind:"method",name:"clickablePoint",static:!1,private:!1,access:{has:obj=>"cl\
ickablePoint"in obj,get:obj=>obj.clickablePoint},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(
this,null,_hover_decorators,{kind:"method",name:"hover",static:!1,private:!1,access:{has:obj=>"hover"in obj,get:obj=>obj.
hover},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_click_decorators,{kind:"m\
ethod",name:"click",static:!1,private:!1,access:{has:obj=>"click"in obj,get:obj=>obj.click},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_drag_decorators,{kind:"method",name:"drag",static:!1,
private:!1,access:{has:obj=>"drag"in obj,get:obj=>obj.drag},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_dragEnter_decorators,{kind:"method",name:"dragEnter",static:!1,private:!1,access:{has:obj=>"\
dragEnter"in obj,get:obj=>obj.dragEnter},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,
null,_dragOver_decorators,{kind:"method",name:"dragOver",static:!1,private:!1,access:{has:obj=>"dragOver"in obj,
get:obj=>obj.dragOver},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_drop_decorators,
{kind:"method",name:"drop",static:!1,private:!1,access:{has:obj=>"drop"in obj,get:obj=>obj.drop},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_dragAndDrop_decorators,{kind:"method",name:"dragAndD\
rop",static:!1,private:!1,access:{has:obj=>"dragAndDrop"in obj,get:obj=>obj.dragAndDrop},metadata:_metadata},null,
_instanceExtraInitializers),__esDecorate2(this,null,_select_decorators,{kind:"method",name:"select",static:!1,
private:!1,access:{has:obj=>"select"in obj,get:obj=>obj.select},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_tap_decorators,{kind:"method",name:"tap",static:!1,private:!1,access:{has:obj=>"tap"in
obj,get:obj=>obj.tap},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_touchStart_decorators,
{kind:"method",name:"touchStart",static:!1,private:!1,access:{has:obj=>"touchStart"in obj,get:obj=>obj.touchStart},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_touchMove_decorators,{kind:"meth\
od",name:"touchMove",static:!1,private:!1,access:{has:obj=>"touchMove"in obj,get:obj=>obj.touchMove},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_touchEnd_decorators,{kind:"method",name:"touchEnd",static:!1,
private:!1,access:{has:obj=>"touchEnd"in obj,get:obj=>obj.touchEnd},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_focus_decorators,{kind:"method",name:"focus",static:!1,private:!1,access:{has:obj=>"f\
ocus"in obj,get:obj=>obj.focus},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_type_decorators,
{kind:"method",name:"type",static:!1,private:!1,access:{has:obj=>"type"in obj,get:obj=>obj.type},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate2(this,null,_press_decorators,{kind:"method",name:"press",static:!1,
private:!1,access:{has:obj=>"press"in obj,get:obj=>obj.press},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate2(this,null,_boundingBox_decorators,{kind:"method",name:"boundingBox",static:!1,private:!1,access:{
has:obj=>"boundingBox"in obj,get:obj=>obj.boundingBox},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(
this,null,_boxModel_decorators,{kind:"method",name:"boxModel",static:!1,private:!1,access:{has:obj=>"boxModel"in
obj,get:obj=>obj.boxModel},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_screenshot_decorators,
{kind:"method",name:"screenshot",static:!1,private:!1,access:{has:obj=>"screenshot"in obj,get:obj=>obj.screenshot},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,_isIntersectingViewport_decorators,
{kind:"method",name:"isIntersectingViewport",static:!1,private:!1,access:{has:obj=>"isIntersectingViewport"in obj,
get:obj=>obj.isIntersectingViewport},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(this,null,
_scrollIntoView_decorators,{kind:"method",name:"scrollIntoView",static:!1,private:!1,access:{has:obj=>"scrollI\
ntoView"in obj,get:obj=>obj.scrollIntoView},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate2(
this,null,_asLocator_decorators,{kind:"method",name:"asLocator",static:!1,private:!1,access:{has:obj=>"asLocat\
or"in obj,get:obj=>obj.asLocator},metadata:_metadata},null,_instanceExtraInitializers),_metadata&&Object.defineProperty(
this,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:_metadata})}isolatedHandle=__runInitializers2(
this,_instanceExtraInitializers);handle;constructor(handle){super(),this.handle=handle,this[_isElementHandle]=
!0}get id(){return this.handle.id}get disposed(){return this.handle.disposed}async getProperty(propertyName){return await this.
handle.getProperty(propertyName)}async getProperties(){return await this.handle.getProperties()}async evaluate(pageFunction,...args){
return pageFunction=withSourcePuppeteerURLIfNone(this.evaluate.name,pageFunction),await this.handle.evaluate(pageFunction,
...args)}async evaluateHandle(pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(this.evaluateHandle.
name,pageFunction),await this.handle.evaluateHandle(pageFunction,...args)}async jsonValue(){return await this.
handle.jsonValue()}toString(){return this.handle.toString()}remoteObject(){return this.handle.remoteObject()}async dispose(){
await Promise.all([this.handle.dispose(),this.isolatedHandle?.dispose()])}asElement(){return this}async $(selector){
let{updatedSelector,QueryHandler:QueryHandler2}=getQueryHandlerAndSelector(selector);return await QueryHandler2.
queryOne(this,updatedSelector)}async $$(selector,options){return options?.isolate===!1?await this.#$$impl(selector):
await this.#$$(selector)}get#$$(){return _private_$$_descriptor.value}async#$$impl(selector){let{updatedSelector,
QueryHandler:QueryHandler2}=getQueryHandlerAndSelector(selector);return await AsyncIterableUtil.collect(QueryHandler2.
queryAll(this,updatedSelector))}async $eval(selector,pageFunction,...args){let env_1={stack:[],error:void 0,hasError:!1};
try{pageFunction=withSourcePuppeteerURLIfNone(this.$eval.name,pageFunction);let elementHandle=__addDisposableResource6(
env_1,await this.$(selector),!1);if(!elementHandle)throw new Error(`Error: failed to find element matching sel\
ector "${selector}"`);return await elementHandle.evaluate(pageFunction,...args)}catch(e_1){env_1.error=e_1,env_1.
hasError=!0}finally{__disposeResources6(env_1)}}async $$eval(selector,pageFunction,...args){let env_2={stack:[],
error:void 0,hasError:!1};try{pageFunction=withSourcePuppeteerURLIfNone(this.$$eval.name,pageFunction);let results=await this.
$$(selector),elements=__addDisposableResource6(env_2,await this.evaluateHandle((_2,...elements2)=>elements2,...results),
!1),[result]=await Promise.all([elements.evaluate(pageFunction,...args),...results.map(results2=>results2.dispose())]);
return result}catch(e_2){env_2.error=e_2,env_2.hasError=!0}finally{__disposeResources6(env_2)}}async waitForSelector(selector,options={}){
let{updatedSelector,QueryHandler:QueryHandler2,polling}=getQueryHandlerAndSelector(selector);return await QueryHandler2.
waitFor(this,updatedSelector,{polling,...options})}async#checkVisibility(visibility){return await this.evaluate(
async(element,PuppeteerUtil,visibility2)=>!!PuppeteerUtil.checkVisibility(element,visibility2),LazyArg.create(
context2=>context2.puppeteerUtil),visibility)}async isVisible(){return await this.#checkVisibility(!0)}async isHidden(){
return await this.#checkVisibility(!1)}async toElement(tagName){if(!await this.evaluate((node,tagName2)=>node.
nodeName===tagName2.toUpperCase(),tagName))throw new Error(`Element is not a(n) \`${tagName}\` element`);return this}async clickablePoint(offset){
let box=await this.#clickableBox();if(!box)throw new Error("Node is either not clickable or not an Element");return offset!==
void 0?{x:box.x+offset.x,y:box.y+offset.y}:{x:box.x+box.width/2,y:box.y+box.height/2}}async hover(){await this.
scrollIntoViewIfNeeded();let{x:x2,y}=await this.clickablePoint();await this.frame.page().mouse.move(x2,y)}async click(options={}){
await this.scrollIntoViewIfNeeded();let{x:x2,y}=await this.clickablePoint(options.offset);try{await this.frame.
page().mouse.click(x2,y,options)}finally{options.debugHighlight&&await this.frame.page().evaluate((x3,y2)=>{let highlight=document.
createElement("div");highlight.innerHTML=`<style>
        @scope {
          :scope {
              position: fixed;
              left: ${x3}px;
              top: ${y2}px;
              width: 10px;
              height: 10px;
              border-radius: 50%;
              animation: colorChange 10s 1 normal;
              animation-fill-mode: forwards;
          }

          @keyframes colorChange {
              from {
                  background-color: red;
              }
              to {
                  background-color: #FADADD00;
              }
          }
        }
      </style>`,highlight.addEventListener("animationend",()=>{highlight.remove()},{once:!0}),document.body.append(
highlight)},x2,y)}}async drag(target){await this.scrollIntoViewIfNeeded();let page=this.frame.page();if(page.isDragInterceptionEnabled()){
let source2=await this.clickablePoint();return target instanceof ElementHandle2&&(target=await target.clickablePoint()),
await page.mouse.drag(source2,target)}try{page._isDragging||(page._isDragging=!0,await this.hover(),await page.
mouse.down()),target instanceof ElementHandle2?await target.hover():await page.mouse.move(target.x,target.y)}catch(error){
throw page._isDragging=!1,error}}async dragEnter(data={items:[],dragOperationsMask:1}){let page=this.frame.page();
await this.scrollIntoViewIfNeeded();let target=await this.clickablePoint();await page.mouse.dragEnter(target,data)}async dragOver(data={
items:[],dragOperationsMask:1}){let page=this.frame.page();await this.scrollIntoViewIfNeeded();let target=await this.
clickablePoint();await page.mouse.dragOver(target,data)}async drop(dataOrElement={items:[],dragOperationsMask:1}){
let page=this.frame.page();if("items"in dataOrElement){await this.scrollIntoViewIfNeeded();let destination=await this.
clickablePoint();await page.mouse.drop(destination,dataOrElement)}else await dataOrElement.drag(this),page._isDragging=
!1,await page.mouse.up()}async dragAndDrop(target,options){let page=this.frame.page();assert(page.isDragInterceptionEnabled(),
"Drag Interception is not enabled!"),await this.scrollIntoViewIfNeeded();let startPoint=await this.clickablePoint(),
targetPoint=await target.clickablePoint();await page.mouse.dragAndDrop(startPoint,targetPoint,options)}async select(...values){
for(let value of values)assert(isString(value),'Values must be strings. Found value "'+value+'" of type "'+typeof value+
'"');return await this.evaluate((element,vals)=>{let values2=new Set(vals);if(!(element instanceof HTMLSelectElement))
throw new Error("Element is not a <select> element.");let selectedValues=new Set;if(element.multiple)for(let option of element.
options)option.selected=values2.has(option.value),option.selected&&selectedValues.add(option.value);else{for(let option of element.
options)option.selected=!1;for(let option of element.options)if(values2.has(option.value)){option.selected=!0,
selectedValues.add(option.value);break}}return element.dispatchEvent(new Event("input",{bubbles:!0})),element.
dispatchEvent(new Event("change",{bubbles:!0})),[...selectedValues.values()]},values)}async tap(){await this.scrollIntoViewIfNeeded();
let{x:x2,y}=await this.clickablePoint();await this.frame.page().touchscreen.tap(x2,y)}async touchStart(){await this.
scrollIntoViewIfNeeded();let{x:x2,y}=await this.clickablePoint();return await this.frame.page().touchscreen.touchStart(
x2,y)}async touchMove(touch){await this.scrollIntoViewIfNeeded();let{x:x2,y}=await this.clickablePoint();if(touch)
return await touch.move(x2,y);await this.frame.page().touchscreen.touchMove(x2,y)}async touchEnd(){await this.
scrollIntoViewIfNeeded(),await this.frame.page().touchscreen.touchEnd()}async focus(){await this.evaluate(element=>{
if(!(element instanceof HTMLElement))throw new Error("Cannot focus non-HTMLElement");return element.focus()})}async type(text,options){
await this.focus(),await this.frame.page().keyboard.type(text,options)}async press(key,options){await this.focus(),
await this.frame.page().keyboard.press(key,options)}async#clickableBox(){let boxes=await this.evaluate(element=>element instanceof
Element?[...element.getClientRects()].map(rect=>({x:rect.x,y:rect.y,width:rect.width,height:rect.height})):null);
if(!boxes?.length)return null;await this.#intersectBoundingBoxesWithFrame(boxes);let frame=this.frame,parentFrame;
for(;parentFrame=frame?.parentFrame();){let env_3={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource6(
env_3,await frame.frameElement(),!1);if(!handle)throw new Error("Unsupported frame type");let parentBox=await handle.
evaluate(element=>{if(element.getClientRects().length===0)return null;let rect=element.getBoundingClientRect(),
style=window.getComputedStyle(element);return{left:rect.left+parseInt(style.paddingLeft,10)+parseInt(style.borderLeftWidth,
10),top:rect.top+parseInt(style.paddingTop,10)+parseInt(style.borderTopWidth,10)}});if(!parentBox)return null;
for(let box2 of boxes)box2.x+=parentBox.left,box2.y+=parentBox.top;await handle.#intersectBoundingBoxesWithFrame(
boxes),frame=parentFrame}catch(e_3){env_3.error=e_3,env_3.hasError=!0}finally{__disposeResources6(env_3)}}let box=boxes.
find(box2=>box2.width>=1&&box2.height>=1);return box?{x:box.x,y:box.y,height:box.height,width:box.width}:null}async#intersectBoundingBoxesWithFrame(boxes){
let{documentWidth,documentHeight}=await this.frame.isolatedRealm().evaluate(()=>({documentWidth:document.documentElement.
clientWidth,documentHeight:document.documentElement.clientHeight}));for(let box of boxes)intersectBoundingBox(
box,documentWidth,documentHeight)}async boundingBox(){let box=await this.evaluate(element=>{if(!(element instanceof
Element)||element.getClientRects().length===0)return null;let rect=element.getBoundingClientRect();return{x:rect.
x,y:rect.y,width:rect.width,height:rect.height}});if(!box)return null;let offset=await this.#getTopLeftCornerOfFrame();
return offset?{x:box.x+offset.x,y:box.y+offset.y,height:box.height,width:box.width}:null}async boxModel(){let model=await this.
evaluate(element=>{if(!(element instanceof Element)||element.getClientRects().length===0)return null;let rect=element.
getBoundingClientRect(),style=window.getComputedStyle(element),offsets={padding:{left:parseInt(style.paddingLeft,
10),top:parseInt(style.paddingTop,10),right:parseInt(style.paddingRight,10),bottom:parseInt(style.paddingBottom,
10)},margin:{left:-parseInt(style.marginLeft,10),top:-parseInt(style.marginTop,10),right:-parseInt(style.marginRight,
10),bottom:-parseInt(style.marginBottom,10)},border:{left:parseInt(style.borderLeft,10),top:parseInt(style.borderTop,
10),right:parseInt(style.borderRight,10),bottom:parseInt(style.borderBottom,10)}},border=[{x:rect.left,y:rect.
top},{x:rect.left+rect.width,y:rect.top},{x:rect.left+rect.width,y:rect.top+rect.height},{x:rect.left,y:rect.top+
rect.height}],padding=transformQuadWithOffsets(border,offsets.border),content=transformQuadWithOffsets(padding,
offsets.padding),margin=transformQuadWithOffsets(border,offsets.margin);return{content,padding,border,margin,width:rect.
width,height:rect.height};function transformQuadWithOffsets(quad,offsets2){return[{x:quad[0].x+offsets2.left,y:quad[0].
y+offsets2.top},{x:quad[1].x-offsets2.right,y:quad[1].y+offsets2.top},{x:quad[2].x-offsets2.right,y:quad[2].y-
offsets2.bottom},{x:quad[3].x+offsets2.left,y:quad[3].y-offsets2.bottom}]}});if(!model)return null;let offset=await this.#getTopLeftCornerOfFrame();
if(!offset)return null;for(let attribute of["content","padding","border","margin"])for(let point of model[attribute])
point.x+=offset.x,point.y+=offset.y;return model}async#getTopLeftCornerOfFrame(){let point={x:0,y:0},frame=this.
frame,parentFrame;for(;parentFrame=frame?.parentFrame();){let env_4={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource6(
env_4,await frame.frameElement(),!1);if(!handle)throw new Error("Unsupported frame type");let parentBox=await handle.
evaluate(element=>{if(element.getClientRects().length===0)return null;let rect=element.getBoundingClientRect(),
style=window.getComputedStyle(element);return{left:rect.left+parseInt(style.paddingLeft,10)+parseInt(style.borderLeftWidth,
10),top:rect.top+parseInt(style.paddingTop,10)+parseInt(style.borderTopWidth,10)}});if(!parentBox)return null;
point.x+=parentBox.left,point.y+=parentBox.top,frame=parentFrame}catch(e_4){env_4.error=e_4,env_4.hasError=!0}finally{
__disposeResources6(env_4)}}return point}async screenshot(options={}){let{scrollIntoView=!0,clip}=options,page=this.
frame.page();scrollIntoView&&await this.scrollIntoViewIfNeeded();let elementClip=await this.#nonEmptyVisibleBoundingBox(),
[pageLeft,pageTop]=await this.evaluate(()=>{if(!window.visualViewport)throw new Error("window.visualViewport i\
s not supported.");return[window.visualViewport.pageLeft,window.visualViewport.pageTop]});return elementClip.x+=
pageLeft,elementClip.y+=pageTop,clip&&(elementClip.x+=clip.x,elementClip.y+=clip.y,elementClip.height=clip.height,
elementClip.width=clip.width),await page.screenshot({...options,clip:elementClip})}async#nonEmptyVisibleBoundingBox(){
let box=await this.boundingBox();return assert(box,"Node is either not visible or not an HTMLElement"),assert(
box.width!==0,"Node has 0 width."),assert(box.height!==0,"Node has 0 height."),box}async assertConnectedElement(){
let error=await this.evaluate(async element=>{if(!element.isConnected)return"Node is detached from document";if(element.
nodeType!==Node.ELEMENT_NODE)return"Node is not of type HTMLElement"});if(error)throw new Error(error)}async scrollIntoViewIfNeeded(){
await this.isIntersectingViewport({threshold:1})||await this.scrollIntoView()}async isIntersectingViewport(options={}){
let env_5={stack:[],error:void 0,hasError:!1};try{await this.assertConnectedElement();let handle=await this.#asSVGElementHandle();
return await(__addDisposableResource6(env_5,handle&&await handle.#getOwnerSVGElement(),!1)??this).evaluate(async(element,threshold)=>{
let visibleRatio=await new Promise(resolve=>{let observer=new IntersectionObserver(entries=>{resolve(entries[0].
intersectionRatio),observer.disconnect()});observer.observe(element)});return threshold===1?visibleRatio===1:visibleRatio>
threshold},options.threshold??0)}catch(e_5){env_5.error=e_5,env_5.hasError=!0}finally{__disposeResources6(env_5)}}async scrollIntoView(){
await this.assertConnectedElement(),await this.evaluate(async element=>{element.scrollIntoView({block:"center",
inline:"center",behavior:"instant"})})}asLocator(){return NodeLocator.createFromHandle(this.frame,this)}async#asSVGElementHandle(){
return await this.evaluate(element=>element instanceof SVGElement)?this:null}async#getOwnerSVGElement(){return await this.
evaluateHandle(element=>element instanceof SVGSVGElement?element:element.ownerSVGElement)}}})();function intersectBoundingBox(box,width,height){box.width=Math.max(box.x>=0?Math.min(width-box.x,box.width):Math.
min(width,box.width+box.x),0),box.height=Math.max(box.y>=0?Math.min(height-box.y,box.height):Math.min(height,box.
height+box.y),0),box.x=Math.max(box.x,0),box.y=Math.max(box.y,0)}var Extension=class{#id;#version;#name;#path;#enabled;constructor(id,version,name,path,enabled){if(!id||!version)
throw new Error("Extension ID and version are required");this.#id=id,this.#version=version,this.#name=name,this.#path=
path,this.#enabled=enabled}get enabled(){return this.#enabled}get path(){return this.#path}get version(){return this.#version}get name(){
return this.#name}get id(){return this.#id}};var __runInitializers3=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate3=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},__addDisposableResource7=function(env,value,async2){
if(value!=null){if(typeof value!="object"&&typeof value!="function")throw new TypeError("Object expected.");var dispose,
inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError("Symbol.asyncDispose is not defined.");dispose=value[Symbol.
asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)throw new TypeError("Symbol.dispose is not defined.");dispose=
value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!="function")throw new TypeError("Object not di\
sposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){return Promise.reject(e)}}),env.stack.push(
{value,dispose,async:async2})}else async2&&env.stack.push({async:!0});return value},__disposeResources7=(function(SuppressedError3){
return function(env){function fail(e){env.error=env.hasError?new SuppressedError3(e,env.error,"An error was su\
ppressed during disposal."):e,env.hasError=!0}var r,s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&
s===1)return s=0,env.stack.push(r),Promise.resolve().then(next);if(r.dispose){var result=r.dispose.call(r.value);
if(r.async)return s|=2,Promise.resolve(result).then(next,function(e){return fail(e),next()})}else s|=1}catch(e){
fail(e)}if(s===1)return env.hasError?Promise.reject(env.error):Promise.resolve();if(env.hasError)throw env.error}
return next()}})(typeof SuppressedError=="function"?SuppressedError:function(error,suppressed,message){var e=new Error(
message);return e.name="SuppressedError",e.error=error,e.suppressed=suppressed,e}),FrameEvent;(function(FrameEvent2){
FrameEvent2.FrameNavigated=Symbol("Frame.FrameNavigated"),FrameEvent2.FrameSwapped=Symbol("Frame.FrameSwapped"),
FrameEvent2.LifecycleEvent=Symbol("Frame.LifecycleEvent"),FrameEvent2.FrameNavigatedWithinDocument=Symbol("Fra\
me.FrameNavigatedWithinDocument"),FrameEvent2.FrameDetached=Symbol("Frame.FrameDetached"),FrameEvent2.FrameSwappedByActivation=
Symbol("Frame.FrameSwappedByActivation")})(FrameEvent||(FrameEvent={}));var throwIfDetached=throwIfDisposed(frame=>`\
Attempted to use detached Frame '${frame._id}'.`),Frame=(()=>{let _classSuper=EventEmitter,_instanceExtraInitializers=[],
_frameElement_decorators,_evaluateHandle_decorators,_evaluate_decorators,_locator_decorators,_$_decorators,_$$_decorators,
_$eval_decorators,_$$eval_decorators,_waitForSelector_decorators,_waitForFunction_decorators,_content_decorators,
_addScriptTag_decorators,_addStyleTag_decorators,_click_decorators,_focus_decorators,_hover_decorators,_select_decorators,
_tap_decorators,_type_decorators,_title_decorators;return class extends _classSuper{static{let _metadata=typeof Symbol==
"function"&&Symbol.metadata?Object.create(_classSuper[Symbol.metadata]??null):void 0;_frameElement_decorators=
[throwIfDetached],_evaluateHandle_decorators=[throwIfDetached],_evaluate_decorators=[throwIfDetached],_locator_decorators=
[throwIfDetached],_$_decorators=[throwIfDetached],_$$_decorators=[throwIfDetached],_$eval_decorators=[throwIfDetached],
_$$eval_decorators=[throwIfDetached],_waitForSelector_decorators=[throwIfDetached],_waitForFunction_decorators=
[throwIfDetached],_content_decorators=[throwIfDetached],_addScriptTag_decorators=[throwIfDetached],_addStyleTag_decorators=
[throwIfDetached],_click_decorators=[throwIfDetached],_focus_decorators=[throwIfDetached],_hover_decorators=[throwIfDetached],
_select_decorators=[throwIfDetached],_tap_decorators=[throwIfDetached],_type_decorators=[throwIfDetached],_title_decorators=
[throwIfDetached],__esDecorate3(this,null,_frameElement_decorators,{kind:"method",name:"frameElement",static:!1,
private:!1,access:{has:obj=>"frameElement"in obj,get:obj=>obj.frameElement},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_evaluateHandle_decorators,{kind:"method",name:"evaluateHandle",static:!1,private:!1,access:{
has:obj=>"evaluateHandle"in obj,get:obj=>obj.evaluateHandle},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_evaluate_decorators,{kind:"method",name:"evaluate",static:!1,private:!1,access:{has:obj=>"\
evaluate"in obj,get:obj=>obj.evaluate},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,
null,_locator_decorators,{kind:"method",name:"locator",static:!1,private:!1,access:{has:obj=>"locator"in obj,get:obj=>obj.
locator},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,_$_decorators,{kind:"met\
hod",name:"$",static:!1,private:!1,access:{has:obj=>"$"in obj,get:obj=>obj.$},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_$$_decorators,{kind:"method",name:"$$",static:!1,private:!1,access:{has:obj=>"$$"in obj,
get:obj=>obj.$$},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,_$eval_decorators,
{kind:"method",name:"$eval",static:!1,private:!1,access:{has:obj=>"$eval"in obj,get:obj=>obj.$eval},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate3(this,null,_$$eval_decorators,{kind:"method",name:"$$eval",static:!1,
private:!1,access:{has:obj=>"$$eval"in obj,get:obj=>obj.$$eval},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_waitForSelector_decorators,{kind:"method",name:"waitForSelector",static:!1,private:!1,
access:{has:obj=>"waitForSelector"in obj,get:obj=>obj.waitForSelector},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_waitForFunction_decorators,{kind:"method",name:"waitForFunction",static:!1,private:!1,
access:{has:obj=>"waitForFunction"in obj,get:obj=>obj.waitForFunction},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_content_decorators,{kind:"method",name:"content",static:!1,private:!1,access:{has:obj=>"\
content"in obj,get:obj=>obj.content},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,
_addScriptTag_decorators,{kind:"method",name:"addScriptTag",static:!1,private:!1,access:{has:obj=>"addScriptTa\
g"in obj,get:obj=>obj.addScriptTag},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,
_addStyleTag_decorators,{kind:"method",name:"addStyleTag",static:!1,private:!1,access:{has:obj=>"addStyleTag"in
obj,get:obj=>obj.addStyleTag},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,_click_decorators,
{kind:"method",name:"click",static:!1,private:!1,access:{has:obj=>"click"in obj,get:obj=>obj.click},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate3(this,null,_focus_decorators,{kind:"method",name:"focus",static:!1,
private:!1,access:{has:obj=>"focus"in obj,get:obj=>obj.focus},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate3(this,null,_hover_decorators,{kind:"method",name:"hover",static:!1,private:!1,access:{has:obj=>"h\
over"in obj,get:obj=>obj.hover},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,_select_decorators,
{kind:"method",name:"select",static:!1,private:!1,access:{has:obj=>"select"in obj,get:obj=>obj.select},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate3(this,null,_tap_decorators,{kind:"method",name:"tap",static:!1,private:!1,
access:{has:obj=>"tap"in obj,get:obj=>obj.tap},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(
this,null,_type_decorators,{kind:"method",name:"type",static:!1,private:!1,access:{has:obj=>"type"in obj,get:obj=>obj.
type},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate3(this,null,_title_decorators,{kind:"me\
thod",name:"title",static:!1,private:!1,access:{has:obj=>"title"in obj,get:obj=>obj.title},metadata:_metadata},
null,_instanceExtraInitializers),_metadata&&Object.defineProperty(this,Symbol.metadata,{enumerable:!0,configurable:!0,
writable:!0,value:_metadata})}_id=__runInitializers3(this,_instanceExtraInitializers);_parentId;_name;_hasStartedLoading=!1;constructor(){
super()}#_document;#document(){return this.#_document||(this.#_document=this.mainRealm().evaluateHandle(()=>document)),
this.#_document}clearDocumentHandle(){this.#_document=void 0}async frameElement(){let env_1={stack:[],error:void 0,
hasError:!1};try{let parentFrame=this.parentFrame();if(!parentFrame)return null;let list=__addDisposableResource7(
env_1,await parentFrame.isolatedRealm().evaluateHandle(()=>document.querySelectorAll("iframe,frame")),!1);for await(let iframe_1 of transposeIterableHandle(
list)){let env_2={stack:[],error:void 0,hasError:!1};try{let iframe=__addDisposableResource7(env_2,iframe_1,!1);
if((await iframe.contentFrame())?._id===this._id)return await parentFrame.mainRealm().adoptHandle(iframe)}catch(e_1){
env_2.error=e_1,env_2.hasError=!0}finally{__disposeResources7(env_2)}}return null}catch(e_2){env_1.error=e_2,env_1.
hasError=!0}finally{__disposeResources7(env_1)}}async evaluateHandle(pageFunction,...args){return pageFunction=
withSourcePuppeteerURLIfNone(this.evaluateHandle.name,pageFunction),await this.mainRealm().evaluateHandle(pageFunction,
...args)}async evaluate(pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(this.evaluate.name,
pageFunction),await this.mainRealm().evaluate(pageFunction,...args)}locator(input){return typeof input=="strin\
g"?NodeLocator.create(this,input):FunctionLocator.create(this,input)}async $(selector){return await(await this.#document()).
$(selector)}async $$(selector,options){return await(await this.#document()).$$(selector,options)}async $eval(selector,pageFunction,...args){
return pageFunction=withSourcePuppeteerURLIfNone(this.$eval.name,pageFunction),await(await this.#document()).$eval(
selector,pageFunction,...args)}async $$eval(selector,pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(
this.$$eval.name,pageFunction),await(await this.#document()).$$eval(selector,pageFunction,...args)}async waitForSelector(selector,options={}){
let{updatedSelector,QueryHandler:QueryHandler2,polling}=getQueryHandlerAndSelector(selector);return await QueryHandler2.
waitFor(this,updatedSelector,{polling,...options})}async waitForFunction(pageFunction,options={},...args){return await this.
mainRealm().waitForFunction(pageFunction,options,...args)}async content(){return await this.evaluate(()=>{let content="";
for(let node of document.childNodes)node===document.documentElement?content+=document.documentElement.outerHTML:
content+=new XMLSerializer().serializeToString(node);return content})}async setFrameContent(content){return await this.
evaluate(html=>{document.open(),document.write(html),document.close()},content)}name(){return this._name||""}isDetached(){
return this.detached}get disposed(){return this.detached}async addScriptTag(options){let{content="",type}=options,
{path}=options;if(+!!options.url+ +!!path+ +!!content!=1)throw new Error("Exactly one of `url`, `path`, or `co\
ntent` must be specified.");return path&&(content=await environment.value.fs.promises.readFile(path,"utf8"),content+=
`//# sourceURL=${path.replace(/\n/g,"")}`),type=type??"text/javascript",await this.mainRealm().transferHandle(
await this.isolatedRealm().evaluateHandle(async({url,id,type:type2,content:content2})=>await new Promise((resolve,reject)=>{
let script=document.createElement("script");script.type=type2,script.text=content2,script.addEventListener("er\
ror",event=>{reject(new Error(event.message??"Could not load script"))},{once:!0}),id&&(script.id=id),url?(script.
src=url,script.addEventListener("load",()=>{resolve(script)},{once:!0}),document.head.appendChild(script)):(document.
head.appendChild(script),resolve(script))}),{...options,type,content}))}async addStyleTag(options){let{content=""}=options,
{path}=options;if(+!!options.url+ +!!path+ +!!content!=1)throw new Error("Exactly one of `url`, `path`, or `co\
ntent` must be specified.");return path&&(content=await environment.value.fs.promises.readFile(path,"utf8"),content+=
"/*# sourceURL="+path.replace(/\n/g,"")+"*/",options.content=content),await this.mainRealm().transferHandle(await this.
isolatedRealm().evaluateHandle(async({url,content:content2})=>await new Promise((resolve,reject)=>{let element;
if(!url)element=document.createElement("style"),element.appendChild(document.createTextNode(content2));else{let link=document.
createElement("link");link.rel="stylesheet",link.href=url,element=link}return element.addEventListener("load",
()=>{resolve(element)},{once:!0}),element.addEventListener("error",event=>{reject(new Error(event.message??"Co\
uld not load style"))},{once:!0}),document.head.appendChild(element),element}),options))}async click(selector,options={}){
let env_3={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource7(env_3,await this.$(selector),
!1);assert(handle,`No element found for selector: ${selector}`),await handle.click(options),await handle.dispose()}catch(e_3){
env_3.error=e_3,env_3.hasError=!0}finally{__disposeResources7(env_3)}}async focus(selector){let env_4={stack:[],
error:void 0,hasError:!1};try{let handle=__addDisposableResource7(env_4,await this.$(selector),!1);assert(handle,
`No element found for selector: ${selector}`),await handle.focus()}catch(e_4){env_4.error=e_4,env_4.hasError=!0}finally{
__disposeResources7(env_4)}}async hover(selector){let env_5={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource7(
env_5,await this.$(selector),!1);assert(handle,`No element found for selector: ${selector}`),await handle.hover()}catch(e_5){
env_5.error=e_5,env_5.hasError=!0}finally{__disposeResources7(env_5)}}async select(selector,...values){let env_6={
stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource7(env_6,await this.$(selector),!1);return assert(
handle,`No element found for selector: ${selector}`),await handle.select(...values)}catch(e_6){env_6.error=e_6,
env_6.hasError=!0}finally{__disposeResources7(env_6)}}async tap(selector){let env_7={stack:[],error:void 0,hasError:!1};
try{let handle=__addDisposableResource7(env_7,await this.$(selector),!1);assert(handle,`No element found for s\
elector: ${selector}`),await handle.tap()}catch(e_7){env_7.error=e_7,env_7.hasError=!0}finally{__disposeResources7(
env_7)}}async type(selector,text,options){let env_8={stack:[],error:void 0,hasError:!1};try{let handle=__addDisposableResource7(
env_8,await this.$(selector),!1);assert(handle,`No element found for selector: ${selector}`),await handle.type(
text,options)}catch(e_8){env_8.error=e_8,env_8.hasError=!0}finally{__disposeResources7(env_8)}}async title(){return await this.
isolatedRealm().evaluate(()=>document.title)}}})();var HTTPRequest=class{_interceptionId;_failureText=null;_response=null;_fromMemoryCache=!1;_redirectChain=[];interception={
enabled:!1,handled:!1,handlers:[],resolutionState:{action:InterceptResolutionAction.None},requestOverrides:{},
response:null,abortReason:null};constructor(){}continueRequestOverrides(){return this.interception.requestOverrides}responseForRequest(){
return this.interception.response}abortErrorReason(){return this.interception.abortReason}interceptResolutionState(){
return this.interception.enabled?this.interception.handled?{action:InterceptResolutionAction.AlreadyHandled}:{
...this.interception.resolutionState}:{action:InterceptResolutionAction.Disabled}}isInterceptResolutionHandled(){
return this.interception.handled}enqueueInterceptAction(pendingHandler){this.interception.handlers.push(pendingHandler)}async finalizeInterceptions(){
await this.interception.handlers.reduce((promiseChain,interceptAction)=>promiseChain.then(interceptAction),Promise.
resolve()),this.interception.handlers=[];let{action}=this.interceptResolutionState();switch(action){case"abort":
return await this._abort(this.interception.abortReason);case"respond":if(this.interception.response===null)throw new Error(
"Response is missing for the interception");return await this._respond(this.interception.response);case"contin\
ue":return await this._continue(this.interception.requestOverrides)}}verifyInterception(){assert(this.interception.
enabled,"Request Interception is not enabled!"),assert(!this.interception.handled,"Request is already handled!")}async continue(overrides={},priority){
if(this.verifyInterception(),!!this.canBeIntercepted()){if(priority===void 0)return await this._continue(overrides);
if(this.interception.requestOverrides=overrides,this.interception.resolutionState.priority===void 0||priority>
this.interception.resolutionState.priority){this.interception.resolutionState={action:InterceptResolutionAction.
Continue,priority};return}if(priority===this.interception.resolutionState.priority){if(this.interception.resolutionState.
action==="abort"||this.interception.resolutionState.action==="respond")return;this.interception.resolutionState.
action=InterceptResolutionAction.Continue}}}async respond(response,priority){if(this.verifyInterception(),!!this.
canBeIntercepted()){if(priority===void 0)return await this._respond(response);if(this.interception.response=response,
this.interception.resolutionState.priority===void 0||priority>this.interception.resolutionState.priority){this.
interception.resolutionState={action:InterceptResolutionAction.Respond,priority};return}if(priority===this.interception.
resolutionState.priority){if(this.interception.resolutionState.action==="abort")return;this.interception.resolutionState.
action=InterceptResolutionAction.Respond}}}async abort(errorCode="failed",priority){if(this.verifyInterception(),
!this.canBeIntercepted())return;let errorReason=errorReasons[errorCode];if(assert(errorReason,"Unknown error c\
ode: "+errorCode),priority===void 0)return await this._abort(errorReason);if(this.interception.abortReason=errorReason,
this.interception.resolutionState.priority===void 0||priority>=this.interception.resolutionState.priority){this.
interception.resolutionState={action:InterceptResolutionAction.Abort,priority};return}}static getResponse(body){
let byteBody=isString(body)?new TextEncoder().encode(body):body;return{contentLength:byteBody.byteLength,base64:typedArrayToBase64(
byteBody)}}},InterceptResolutionAction;(function(InterceptResolutionAction2){InterceptResolutionAction2.Abort=
"abort",InterceptResolutionAction2.Respond="respond",InterceptResolutionAction2.Continue="continue",InterceptResolutionAction2.
Disabled="disabled",InterceptResolutionAction2.None="none",InterceptResolutionAction2.AlreadyHandled="already-\
handled"})(InterceptResolutionAction||(InterceptResolutionAction={}));function headersArray(headers){let result=[];
for(let name in headers){let value=headers[name];if(!Object.is(value,void 0)){let values=Array.isArray(value)?
value:[value];result.push(...values.map(value2=>({name,value:value2+""})))}}return result}var STATUS_TEXTS={100:"\
Continue",101:"Switching Protocols",102:"Processing",103:"Early Hints",200:"OK",201:"Created",202:"Accepted",203:"\
Non-Authoritative Information",204:"No Content",205:"Reset Content",206:"Partial Content",207:"Multi-Status",208:"\
Already Reported",226:"IM Used",300:"Multiple Choices",301:"Moved Permanently",302:"Found",303:"See Other",304:"\
Not Modified",305:"Use Proxy",306:"Switch Proxy",307:"Temporary Redirect",308:"Permanent Redirect",400:"Bad Re\
quest",401:"Unauthorized",402:"Payment Required",403:"Forbidden",404:"Not Found",405:"Method Not Allowed",406:"\
Not Acceptable",407:"Proxy Authentication Required",408:"Request Timeout",409:"Conflict",410:"Gone",411:"Lengt\
h Required",412:"Precondition Failed",413:"Payload Too Large",414:"URI Too Long",415:"Unsupported Media Type",
416:"Range Not Satisfiable",417:"Expectation Failed",418:"I'm a teapot",421:"Misdirected Request",422:"Unproce\
ssable Entity",423:"Locked",424:"Failed Dependency",425:"Too Early",426:"Upgrade Required",428:"Precondition R\
equired",429:"Too Many Requests",431:"Request Header Fields Too Large",451:"Unavailable For Legal Reasons",500:"\
Internal Server Error",501:"Not Implemented",502:"Bad Gateway",503:"Service Unavailable",504:"Gateway Timeout",
505:"HTTP Version Not Supported",506:"Variant Also Negotiates",507:"Insufficient Storage",508:"Loop Detected",
510:"Not Extended",511:"Network Authentication Required"},errorReasons={aborted:"Aborted",accessdenied:"Access\
Denied",addressunreachable:"AddressUnreachable",blockedbyclient:"BlockedByClient",blockedbyresponse:"BlockedBy\
Response",connectionaborted:"ConnectionAborted",connectionclosed:"ConnectionClosed",connectionfailed:"Connecti\
onFailed",connectionrefused:"ConnectionRefused",connectionreset:"ConnectionReset",internetdisconnected:"Intern\
etDisconnected",namenotresolved:"NameNotResolved",timedout:"TimedOut",failed:"Failed"};function handleError(error){
if(error.originalMessage.includes("Invalid header")||error.originalMessage.includes("Unsafe header")||error.originalMessage.
includes('Expected "header"')||error.originalMessage.includes("invalid argument"))throw error;debugError(error)}var HTTPResponse=class{constructor(){}ok(){let status=this.status();return status===0||status>=200&&status<=299}async buffer(){
let content=await this.content();return Buffer.from(content)}async text(){let content=await this.content();return new TextDecoder(
"utf-8",{fatal:!0}).decode(content)}async json(){let content=await this.text();return JSON.parse(content)}};function createIncrementalIdGenerator(){let id=0;return()=>(id===Number.MAX_SAFE_INTEGER&&(id=0),++id)}var Keyboard=class{constructor(){}},MouseButton=Object.freeze({Left:"left",Right:"right",Middle:"middle",Back:"\
back",Forward:"forward"}),Mouse=class{constructor(){}},Touchscreen=class{idGenerator=createIncrementalIdGenerator();touches=[];constructor(){}removeHandle(handle){
let index=this.touches.indexOf(handle);index!==-1&&this.touches.splice(index,1)}async tap(x2,y){await(await this.
touchStart(x2,y)).end()}async touchMove(x2,y){let touch=this.touches[0];if(!touch)throw new TouchError("Must s\
tart a new Touch first");return await touch.move(x2,y)}async touchEnd(){let touch=this.touches.shift();if(!touch)
throw new TouchError("Must start a new Touch first");await touch.end()}};var TimeoutSettings=class{#defaultTimeout;#defaultNavigationTimeout;constructor(){this.#defaultTimeout=null,this.#defaultNavigationTimeout=
null}setDefaultTimeout(timeout2){this.#defaultTimeout=timeout2}setDefaultNavigationTimeout(timeout2){this.#defaultNavigationTimeout=
timeout2}navigationTimeout(){return this.#defaultNavigationTimeout!==null?this.#defaultNavigationTimeout:this.#defaultTimeout!==
null?this.#defaultTimeout:3e4}timeout(){return this.#defaultTimeout!==null?this.#defaultTimeout:3e4}};var __runInitializers4=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate4=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},__addDisposableResource8=function(env,value,async2){
if(value!=null){if(typeof value!="object"&&typeof value!="function")throw new TypeError("Object expected.");var dispose,
inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError("Symbol.asyncDispose is not defined.");dispose=value[Symbol.
asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)throw new TypeError("Symbol.dispose is not defined.");dispose=
value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!="function")throw new TypeError("Object not di\
sposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){return Promise.reject(e)}}),env.stack.push(
{value,dispose,async:async2})}else async2&&env.stack.push({async:!0});return value},__disposeResources8=(function(SuppressedError3){
return function(env){function fail(e){env.error=env.hasError?new SuppressedError3(e,env.error,"An error was su\
ppressed during disposal."):e,env.hasError=!0}var r,s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&
s===1)return s=0,env.stack.push(r),Promise.resolve().then(next);if(r.dispose){var result=r.dispose.call(r.value);
if(r.async)return s|=2,Promise.resolve(result).then(next,function(e){return fail(e),next()})}else s|=1}catch(e){
fail(e)}if(s===1)return env.hasError?Promise.reject(env.error):Promise.resolve();if(env.hasError)throw env.error}
return next()}})(typeof SuppressedError=="function"?SuppressedError:function(error,suppressed,message){var e=new Error(
message);return e.name="SuppressedError",e.error=error,e.suppressed=suppressed,e});function setDefaultScreenshotOptions(options){
options.optimizeForSpeed??=!1,options.type??="png",options.fromSurface??=!0,options.fullPage??=!1,options.omitBackground??=
!1,options.encoding??="binary",options.captureBeyondViewport??=!0}var Page=(()=>{let _classSuper=EventEmitter,
_instanceExtraInitializers=[],_screenshot_decorators;return class extends _classSuper{static{let _metadata=typeof Symbol==
"function"&&Symbol.metadata?Object.create(_classSuper[Symbol.metadata]??null):void 0;__esDecorate4(this,null,_screenshot_decorators,
{kind:"method",name:"screenshot",static:!1,private:!1,access:{has:obj=>"screenshot"in obj,get:obj=>obj.screenshot},
metadata:_metadata},null,_instanceExtraInitializers),_metadata&&Object.defineProperty(this,Symbol.metadata,{enumerable:!0,
configurable:!0,writable:!0,value:_metadata})}_isDragging=(__runInitializers4(this,_instanceExtraInitializers),
!1);_timeoutSettings=new TimeoutSettings;_tabId="";#requestHandlers=new WeakMap;#inflight$=new ReplaySubject(1);constructor(){
super(),fromEmitterEvent(this,"request").pipe(mergeMap(originalRequest=>concat(of(1),merge(fromEmitterEvent(this,
"requestfailed"),fromEmitterEvent(this,"requestfinished"),fromEmitterEvent(this,"response").pipe(map(response=>response.
request()))).pipe(filter(request=>request.id===originalRequest.id),take(1),map(()=>-1)))),mergeScan((acc,addend)=>of(
acc+addend),0),takeUntil(fromEmitterEvent(this,"close")),startWith(0)).subscribe(this.#inflight$)}on(type,handler){
if(type!=="request")return super.on(type,handler);let wrapper=this.#requestHandlers.get(handler);return wrapper===
void 0&&(wrapper=event=>{event.enqueueInterceptAction(()=>handler(event))},this.#requestHandlers.set(handler,wrapper)),
super.on(type,wrapper)}off(type,handler){return type==="request"&&(handler=this.#requestHandlers.get(handler)||
handler),super.off(type,handler)}get accessibility(){return this.mainFrame().accessibility}locator(input){return typeof input==
"string"?NodeLocator.create(this,input):FunctionLocator.create(this,input)}locatorRace(locators){return Locator.
race(locators)}async $(selector){return await this.mainFrame().$(selector)}async $$(selector,options){return await this.
mainFrame().$$(selector,options)}async evaluateHandle(pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(
this.evaluateHandle.name,pageFunction),await this.mainFrame().evaluateHandle(pageFunction,...args)}async $eval(selector,pageFunction,...args){
return pageFunction=withSourcePuppeteerURLIfNone(this.$eval.name,pageFunction),await this.mainFrame().$eval(selector,
pageFunction,...args)}async $$eval(selector,pageFunction,...args){return pageFunction=withSourcePuppeteerURLIfNone(
this.$$eval.name,pageFunction),await this.mainFrame().$$eval(selector,pageFunction,...args)}async addScriptTag(options){
return await this.mainFrame().addScriptTag(options)}async addStyleTag(options){return await this.mainFrame().addStyleTag(
options)}url(){return this.mainFrame().url()}async content(){return await this.mainFrame().content()}async setContent(html,options){
await this.mainFrame().setContent(html,options)}async goto(url,options){return await this.mainFrame().goto(url,
options)}async waitForNavigation(options={}){return await this.mainFrame().waitForNavigation(options)}waitForRequest(urlOrPredicate,options={}){
let{timeout:ms=this._timeoutSettings.timeout(),signal}=options;if(typeof urlOrPredicate=="string"){let url=urlOrPredicate;
urlOrPredicate=request=>request.url()===url}let observable$=fromEmitterEvent(this,"request").pipe(filterAsync(
urlOrPredicate),raceWith(timeout(ms),fromAbortSignal(signal),fromEmitterEvent(this,"close").pipe(map(()=>{throw new TargetCloseError(
"Page closed!")}))));return firstValueFrom(observable$)}waitForResponse(urlOrPredicate,options={}){let{timeout:ms=this.
_timeoutSettings.timeout(),signal}=options;if(typeof urlOrPredicate=="string"){let url=urlOrPredicate;urlOrPredicate=
response=>response.url()===url}let observable$=fromEmitterEvent(this,"response").pipe(filterAsync(urlOrPredicate),
raceWith(timeout(ms),fromAbortSignal(signal),fromEmitterEvent(this,"close").pipe(map(()=>{throw new TargetCloseError(
"Page closed!")}))));return firstValueFrom(observable$)}waitForNetworkIdle(options={}){return firstValueFrom(this.
waitForNetworkIdle$(options))}waitForNetworkIdle$(options={}){let{timeout:ms=this._timeoutSettings.timeout(),idleTime=NETWORK_IDLE_TIME,
concurrency=0,signal}=options;return this.#inflight$.pipe(map(inflight=>inflight>concurrency),distinctUntilChanged(),
switchMap(isInflightOverConcurrency=>isInflightOverConcurrency?EMPTY:timer(idleTime)),map(()=>{}),raceWith(timeout(
ms),fromAbortSignal(signal),fromEmitterEvent(this,"close").pipe(map(()=>{throw new TargetCloseError("Page clos\
ed!")}))))}async waitForFrame(urlOrPredicate,options={}){let{timeout:ms=this.getDefaultTimeout(),signal}=options,
predicate=isString(urlOrPredicate)?frame=>urlOrPredicate===frame.url():urlOrPredicate;return await firstValueFrom(
merge(fromEmitterEvent(this,"frameattached"),fromEmitterEvent(this,"framenavigated"),from(this.frames())).pipe(
filterAsync(predicate),first(),raceWith(timeout(ms),fromAbortSignal(signal),fromEmitterEvent(this,"close").pipe(
map(()=>{throw new TargetCloseError("Page closed.")})))))}async emulate(device){await Promise.all([this.setUserAgent(
{userAgent:device.userAgent}),this.setViewport(device.viewport)])}async evaluate(pageFunction,...args){return pageFunction=
withSourcePuppeteerURLIfNone(this.evaluate.name,pageFunction),await this.mainFrame().evaluate(pageFunction,...args)}async _maybeWriteTypedArrayToFile(path,typedArray){
path&&await environment.value.fs.promises.writeFile(path,typedArray)}async screencast(options={}){let ScreenRecorder=environment.
value.ScreenRecorder,[width,height,devicePixelRatio]=await this.#getNativePixelDimensions(),crop;if(options.crop){
let{x:x2,y,width:cropWidth,height:cropHeight}=roundRectangle(normalizeRectangle(options.crop));if(x2<0||y<0)throw new Error(
"`crop.x` and `crop.y` must be greater than or equal to 0.");if(cropWidth<=0||cropHeight<=0)throw new Error("`\
crop.height` and `crop.width` must be greater than or equal to 0.");let viewportWidth=width/devicePixelRatio,viewportHeight=height/
devicePixelRatio;if(x2+cropWidth>viewportWidth)throw new Error(`\`crop.width\` cannot be larger than the viewpor\
t width (${viewportWidth}).`);if(y+cropHeight>viewportHeight)throw new Error(`\`crop.height\` cannot be larger t\
han the viewport height (${viewportHeight}).`);crop={x:x2*devicePixelRatio,y:y*devicePixelRatio,width:cropWidth*
devicePixelRatio,height:cropHeight*devicePixelRatio}}if(options.speed!==void 0&&options.speed<=0)throw new Error(
"`speed` must be greater than 0.");if(options.scale!==void 0&&options.scale<=0)throw new Error("`scale` must b\
e greater than 0.");let recorder=new ScreenRecorder(this,width,height,{...options,crop});try{await this._startScreencast()}catch(error){
throw recorder.stop(),error}if(options.path){let{createWriteStream}=environment.value.fs,stream=createWriteStream(
options.path,"binary");recorder.pipe(stream)}return recorder}#screencastSessionCount=0;#startScreencastPromise;async _startScreencast(){
++this.#screencastSessionCount,this.#startScreencastPromise||(this.#startScreencastPromise=this.mainFrame().client.
send("Page.startScreencast",{format:"png"}).then(()=>new Promise(resolve=>this.mainFrame().client.once("Page.s\
creencastFrame",()=>resolve())))),await this.#startScreencastPromise}async _stopScreencast(){--this.#screencastSessionCount,
this.#startScreencastPromise&&(this.#startScreencastPromise=void 0,this.#screencastSessionCount===0&&await this.
mainFrame().client.send("Page.stopScreencast"))}async#getNativePixelDimensions(){let env_1={stack:[],error:void 0,
hasError:!1};try{let viewport=this.viewport(),stack=__addDisposableResource8(env_1,new DisposableStack,!1);return viewport&&
viewport.deviceScaleFactor!==0&&(await this.setViewport({...viewport,deviceScaleFactor:0}),stack.defer(()=>{this.
setViewport(viewport).catch(debugError)})),await this.mainFrame().isolatedRealm().evaluate(()=>[window.visualViewport.
width*window.devicePixelRatio,window.visualViewport.height*window.devicePixelRatio,window.devicePixelRatio])}catch(e_1){
env_1.error=e_1,env_1.hasError=!0}finally{__disposeResources8(env_1)}}async screenshot(userOptions={}){let env_2={
stack:[],error:void 0,hasError:!1};try{let _guard=__addDisposableResource8(env_2,await this.browserContext().startScreenshot(),
!1),options={...userOptions,clip:userOptions.clip?{...userOptions.clip}:void 0};if(options.type===void 0&&options.
path!==void 0){let filePath=options.path;switch(filePath.slice(filePath.lastIndexOf(".")+1).toLowerCase()){case"\
png":options.type="png";break;case"jpeg":case"jpg":options.type="jpeg";break;case"webp":options.type="webp";break}}
if(options.quality!==void 0){if(options.quality<0||options.quality>100)throw new Error(`Expected 'quality' (${options.
quality}) to be between 0 and 100, inclusive.`);if(options.type===void 0||!["jpeg","webp"].includes(options.type))
throw new Error(`${options.type??"png"} screenshots do not support 'quality'.`)}if(options.clip){if(options.clip.
width<=0)throw new Error("'width' in 'clip' must be positive.");if(options.clip.height<=0)throw new Error("'he\
ight' in 'clip' must be positive.")}setDefaultScreenshotOptions(options);let stack=__addDisposableResource8(env_2,
new AsyncDisposableStack,!0);if(options.clip){if(options.fullPage)throw new Error("'clip' and 'fullPage' are m\
utually exclusive");options.clip=roundRectangle(normalizeRectangle(options.clip))}else if(options.fullPage){if(!options.
captureBeyondViewport){let scrollDimensions=await this.mainFrame().isolatedRealm().evaluate(()=>{let element=document.
documentElement;return{width:element.scrollWidth,height:element.scrollHeight}}),viewport=this.viewport();await this.
setViewport({...viewport,...scrollDimensions}),stack.defer(async()=>{await this.setViewport(viewport).catch(debugError)})}}else
options.captureBeyondViewport=!1;let data=await this._screenshot(options);if(options.encoding==="base64")return data;
let typedArray=stringToTypedArray(data,!0);return await this._maybeWriteTypedArrayToFile(options.path,typedArray),
typedArray}catch(e_2){env_2.error=e_2,env_2.hasError=!0}finally{let result_1=__disposeResources8(env_2);result_1&&
await result_1}}async title(){return await this.mainFrame().title()}click(selector,options){return this.mainFrame().
click(selector,options)}focus(selector){return this.mainFrame().focus(selector)}hover(selector){return this.mainFrame().
hover(selector)}select(selector,...values){return this.mainFrame().select(selector,...values)}tap(selector){return this.
mainFrame().tap(selector)}type(selector,text,options){return this.mainFrame().type(selector,text,options)}async waitForSelector(selector,options={}){
return await this.mainFrame().waitForSelector(selector,options)}waitForFunction(pageFunction,options,...args){
return this.mainFrame().waitForFunction(pageFunction,options,...args)}[(_screenshot_decorators=[guarded(function(){
return this.browser()})],disposeSymbol)](){this[asyncDisposeSymbol]().catch(debugError)}async[asyncDisposeSymbol](){
await this.close(),await super[asyncDisposeSymbol]()}}})();function normalizeRectangle(clip){return{...clip,...clip.width<0?{x:clip.x+clip.width,width:-clip.width}:{x:clip.
x,width:clip.width},...clip.height<0?{y:clip.y+clip.height,height:-clip.height}:{y:clip.y,height:clip.height}}}
function roundRectangle(clip){let x2=Math.round(clip.x),y=Math.round(clip.y),width=Math.round(clip.width+clip.
x-x2),height=Math.round(clip.height+clip.y-y);return{...clip,x:x2,y,width,height}}var WaitTask=class{#world;#polling;#root;#fn;#args;#timeout;#genericError=new Error("Waiting failed");#timeoutError;#result=Deferred.
create();#poller;#signal;#reruns=[];constructor(world,options,fn,...args){this.#world=world,this.#polling=options.
polling,this.#root=options.root,this.#signal=options.signal,this.#signal?.addEventListener("abort",this.#onAbortSignal,
{once:!0}),typeof fn==="string"?this.#fn=`() => {return (${fn});}`:this.#fn=stringifyFunction(fn),this.#args=args,
this.#world.taskManager.add(this),options.timeout&&(this.#timeoutError=new TimeoutError(`Waiting failed: ${options.
timeout}ms exceeded`),this.#timeout=setTimeout(()=>{this.terminate(this.#timeoutError)},options.timeout)),this.
rerun()}get result(){return this.#result.valueOrThrow()}async rerun(){for(let prev of this.#reruns)prev.abort();
this.#reruns.length=0;let controller=new AbortController;this.#reruns.push(controller);try{switch(this.#polling){case"\
raf":this.#poller=await this.#world.evaluateHandle(({RAFPoller,createFunction:createFunction2},fn,...args)=>{let fun=createFunction2(
fn);return new RAFPoller(()=>fun(...args))},LazyArg.create(context2=>context2.puppeteerUtil),this.#fn,...this.#args);
break;case"mutation":this.#poller=await this.#world.evaluateHandle(({MutationPoller,createFunction:createFunction2},root,fn,...args)=>{
let fun=createFunction2(fn);return new MutationPoller(()=>fun(...args),root||document)},LazyArg.create(context2=>context2.
puppeteerUtil),this.#root,this.#fn,...this.#args);break;default:this.#poller=await this.#world.evaluateHandle(
({IntervalPoller,createFunction:createFunction2},ms,fn,...args)=>{let fun=createFunction2(fn);return new IntervalPoller(
()=>fun(...args),ms)},LazyArg.create(context2=>context2.puppeteerUtil),this.#polling,this.#fn,...this.#args);break}
await this.#poller.evaluate(poller=>{poller.start()});let result=await this.#poller.evaluateHandle(poller=>poller.
result());this.#result.resolve(result),await this.terminate()}catch(error){if(controller.signal.aborted)return;
let badError=this.getBadError(error);badError&&(this.#genericError.cause=badError,await this.terminate(this.#genericError))}}async terminate(error){
if(this.#world.taskManager.delete(this),this.#signal?.removeEventListener("abort",this.#onAbortSignal),clearTimeout(
this.#timeout),error&&!this.#result.finished()&&this.#result.reject(error),this.#poller)try{await this.#poller.
evaluate(async poller=>{await poller.stop()}),this.#poller&&(await this.#poller.dispose(),this.#poller=void 0)}catch{}}getBadError(error){
return isErrorLike(error)?error.message.includes("Execution context is not available in detached frame")?new Error(
"Waiting failed: Frame detached"):error.message.includes("Execution context was destroyed")||error.message.includes(
"Cannot find context with specified id")||error.message.includes("DiscardedBrowsingContextError")?void 0:error:
new Error("WaitTask failed with an error",{cause:error})}#onAbortSignal=()=>{this.terminate(this.#signal?.reason)}},
TaskManager=class{#tasks=new Set;add(task){this.#tasks.add(task)}delete(task){this.#tasks.delete(task)}terminateAll(error){
for(let task of this.#tasks)task.terminate(error);this.#tasks.clear()}async rerunAll(){await Promise.all([...this.#tasks].
map(task=>task.rerun()))}};var Realm=class{timeoutSettings;taskManager=new TaskManager;constructor(timeoutSettings){this.timeoutSettings=
timeoutSettings}async waitForFunction(pageFunction,options={},...args){let{polling="raf",timeout:timeout2=this.
timeoutSettings.timeout(),root,signal}=options;if(typeof polling=="number"&&polling<0)throw new Error("Cannot \
poll with non-positive interval");return await new WaitTask(this,{polling,root,timeout:timeout2,signal},pageFunction,
...args).result}get disposed(){return this.#disposed}#disposed=!1;dispose(){this.#disposed=!0,this.taskManager.
terminateAll(new Error("waitForFunction failed: frame got detached."))}[disposeSymbol](){this.dispose()}};var TargetType;(function(TargetType2){TargetType2.PAGE="page",TargetType2.BACKGROUND_PAGE="background_page",TargetType2.
SERVICE_WORKER="service_worker",TargetType2.SHARED_WORKER="shared_worker",TargetType2.BROWSER="browser",TargetType2.
WEBVIEW="webview",TargetType2.OTHER="other",TargetType2.TAB="tab"})(TargetType||(TargetType={}));var Target=class{constructor(){}async worker(){
return null}async page(){return null}};var WebWorkerEvent;(function(WebWorkerEvent2){WebWorkerEvent2.Console="console",WebWorkerEvent2.Error="error"})(
WebWorkerEvent||(WebWorkerEvent={}));var WebWorker=class extends EventEmitter{timeoutSettings=new TimeoutSettings;#url;constructor(url){
super(),this.#url=url}url(){return this.#url}async evaluate(func,...args){return func=withSourcePuppeteerURLIfNone(
this.evaluate.name,func),await this.mainRealm().evaluate(func,...args)}async evaluateHandle(func,...args){return func=
withSourcePuppeteerURLIfNone(this.evaluateHandle.name,func),await this.mainRealm().evaluateHandle(func,...args)}async close(){
throw new UnsupportedOperation("WebWorker.close() is not supported")}};var __addDisposableResource9=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources9=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),Accessibility=class{#realm;#frameId;constructor(realm,frameId=""){this.#realm=
realm,this.#frameId=frameId}async snapshot(options={}){let{interestingOnly=!0,root=null,includeIframes=!1}=options,
{nodes}=await this.#realm.environment.client.send("Accessibility.getFullAXTree",{frameId:this.#frameId}),backendNodeId;
if(root){let{node}=await this.#realm.environment.client.send("DOM.describeNode",{objectId:root.id});backendNodeId=
node.backendNodeId}let defaultRoot=AXNode.createTree(this.#realm,nodes),populateIframes=async root2=>{if(root2.
payload.role?.value==="Iframe"){let env_1={stack:[],error:void 0,hasError:!1};try{if(!root2.payload.backendDOMNodeId)
return;let handle=__addDisposableResource9(env_1,await this.#realm.adoptBackendNode(root2.payload.backendDOMNodeId),
!1);if(!handle||!("contentFrame"in handle))return;let frame=await handle.contentFrame();if(!frame)return;try{let iframeSnapshot=await frame.
accessibility.snapshot(options);root2.iframeSnapshot=iframeSnapshot??void 0}catch(error){debugError(error)}}catch(e_1){
env_1.error=e_1,env_1.hasError=!0}finally{__disposeResources9(env_1)}}for(let child of root2.children)await populateIframes(
child)},needle=defaultRoot;if(!defaultRoot||(includeIframes&&await populateIframes(defaultRoot),backendNodeId&&
(needle=defaultRoot.find(node=>node.payload.backendDOMNodeId===backendNodeId)),!needle))return null;if(!interestingOnly)
return this.serializeTree(needle)[0]??null;let interestingNodes=new Set;return this.collectInterestingNodes(interestingNodes,
defaultRoot,!1),this.serializeTree(needle,interestingNodes)[0]??null}serializeTree(node,interestingNodes){let children=[];
for(let child of node.children)children.push(...this.serializeTree(child,interestingNodes));if(interestingNodes&&
!interestingNodes.has(node))return children;let serializedNode=node.serialize();return children.length&&(serializedNode.
children=children),node.iframeSnapshot&&(serializedNode.children||(serializedNode.children=[]),serializedNode.
children.push(node.iframeSnapshot)),[serializedNode]}collectInterestingNodes(collection,node,insideControl){if((node.
isInteresting(insideControl)||node.iframeSnapshot)&&collection.add(node),!node.isLeafNode()){insideControl=insideControl||
node.isControl();for(let child of node.children)this.collectInterestingNodes(collection,child,insideControl)}}},
AXNode=class _AXNode{payload;children=[];iframeSnapshot;#richlyEditable=!1;#editable=!1;#focusable=!1;#hidden=!1;#busy=!1;#modal=!1;#hasErrormessage=!1;#hasDetails=!1;#name;#role;#description;#roledescription;#live;#ignored;#cachedHasFocusableChild;#realm;constructor(realm,payload){
this.payload=payload,this.#role=this.payload.role?this.payload.role.value:"Unknown",this.#ignored=this.payload.
ignored,this.#name=this.payload.name?this.payload.name.value:"",this.#description=this.payload.description?this.
payload.description.value:void 0,this.#realm=realm;for(let property of this.payload.properties||[])property.name===
"editable"&&(this.#richlyEditable=property.value.value==="richtext",this.#editable=!0),property.name==="focusa\
ble"&&(this.#focusable=property.value.value),property.name==="hidden"&&(this.#hidden=property.value.value),property.
name==="busy"&&(this.#busy=property.value.value),property.name==="live"&&(this.#live=property.value.value),property.
name==="modal"&&(this.#modal=property.value.value),property.name==="roledescription"&&(this.#roledescription=property.
value.value),property.name==="errormessage"&&(this.#hasErrormessage=!0),property.name==="details"&&(this.#hasDetails=
!0)}#isPlainTextField(){return this.#richlyEditable?!1:this.#editable?!0:this.#role==="textbox"||this.#role===
"searchbox"}#isTextOnlyObject(){let role=this.#role;return role==="LineBreak"||role==="text"||role==="InlineTe\
xtBox"||role==="StaticText"}#hasFocusableChild(){if(this.#cachedHasFocusableChild===void 0){this.#cachedHasFocusableChild=
!1;for(let child of this.children)if(child.#focusable||child.#hasFocusableChild()){this.#cachedHasFocusableChild=
!0;break}}return this.#cachedHasFocusableChild}find(predicate){if(predicate(this))return this;for(let child of this.
children){let result=child.find(predicate);if(result)return result}return null}isLeafNode(){if(!this.children.
length||this.#isPlainTextField()||this.#isTextOnlyObject())return!0;switch(this.#role){case"doc-cover":case"gr\
aphics-symbol":case"img":case"image":case"Meter":case"scrollbar":case"slider":case"separator":case"progressbar":
return!0;default:break}return this.#hasFocusableChild()?!1:!!(this.#role==="heading"&&this.#name)}isControl(){
switch(this.#role){case"button":case"checkbox":case"ColorWell":case"combobox":case"DisclosureTriangle":case"li\
stbox":case"menu":case"menubar":case"menuitem":case"menuitemcheckbox":case"menuitemradio":case"radio":case"scr\
ollbar":case"searchbox":case"slider":case"spinbutton":case"switch":case"tab":case"textbox":case"tree":case"tre\
eitem":return!0;default:return!1}}isLandmark(){switch(this.#role){case"banner":case"complementary":case"conten\
tinfo":case"form":case"main":case"navigation":case"region":case"search":return!0;default:return!1}}isInteresting(insideControl){
return this.#role==="Ignored"||this.#hidden||this.#ignored?!1:this.isLandmark()||this.#focusable||this.#richlyEditable||
this.#busy||this.#live&&this.#live!=="off"||this.#modal||this.#hasErrormessage||this.#hasDetails||this.#roledescription||
this.isControl()?!0:insideControl?!1:this.isLeafNode()&&(!!this.#name||!!this.#description)}serialize(){let properties=new Map;
for(let property of this.payload.properties||[])properties.set(property.name.toLowerCase(),property.value.value);
this.payload.name&&properties.set("name",this.payload.name.value),this.payload.value&&properties.set("value",this.
payload.value.value),this.payload.description&&properties.set("description",this.payload.description.value);let node={
role:this.#role,elementHandle:async()=>{let env_2={stack:[],error:void 0,hasError:!1};try{return this.payload.
backendDOMNodeId?await __addDisposableResource9(env_2,await this.#realm.adoptBackendNode(this.payload.backendDOMNodeId),
!1).evaluateHandle(node2=>node2.nodeType===Node.TEXT_NODE?node2.parentElement:node2):null}catch(e_2){env_2.error=
e_2,env_2.hasError=!0}finally{__disposeResources9(env_2)}},backendNodeId:this.payload.backendDOMNodeId,loaderId:this.#realm.
environment._loaderId},userStringProperties=["name","value","description","keyshortcuts","roledescription","va\
luetext","url"],getUserStringPropertyValue=key=>properties.get(key);for(let userStringProperty of userStringProperties)
properties.has(userStringProperty)&&(node[userStringProperty]=getUserStringPropertyValue(userStringProperty));
let booleanProperties=["disabled","expanded","focused","modal","multiline","multiselectable","readonly","requi\
red","selected","busy","atomic"],getBooleanPropertyValue=key=>!!properties.get(key);for(let booleanProperty of booleanProperties)
booleanProperty==="focused"&&this.#role==="RootWebArea"||properties.has(booleanProperty)&&(node[booleanProperty]=
getBooleanPropertyValue(booleanProperty));let tristateProperties=["checked","pressed"];for(let tristateProperty of tristateProperties){
if(!properties.has(tristateProperty))continue;let value=properties.get(tristateProperty);node[tristateProperty]=
value==="mixed"?"mixed":value==="true"}let numericalProperties=["level","valuemax","valuemin"],getNumericalPropertyValue=key=>properties.
get(key);for(let numericalProperty of numericalProperties)properties.has(numericalProperty)&&(node[numericalProperty]=
getNumericalPropertyValue(numericalProperty));let tokenProperties=["autocomplete","haspopup","invalid","orient\
ation","live","relevant","errormessage","details"],getTokenPropertyValue=key=>properties.get(key);for(let tokenProperty of tokenProperties){
let value=getTokenPropertyValue(tokenProperty);!value||value==="false"||(node[tokenProperty]=getTokenPropertyValue(
tokenProperty))}return node}static createTree(realm,payloads){let nodeById=new Map;for(let payload of payloads)
nodeById.set(payload.nodeId,new _AXNode(realm,payload));for(let node of nodeById.values())for(let childId of node.
payload.childIds||[]){let child=nodeById.get(childId);child&&node.children.push(child)}return nodeById.values().
next().value??null}};var __addDisposableResource10=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources10=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e});var Binding=class{#name;#fn;#initSource;constructor(name,fn,initSource){
this.#name=name,this.#fn=fn,this.#initSource=initSource}get name(){return this.#name}get initSource(){return this.#initSource}async run(context2,id,args,isTrivial){
let stack=new DisposableStack;try{if(!isTrivial){let env_1={stack:[],error:void 0,hasError:!1};try{let properties=await __addDisposableResource10(
env_1,await context2.evaluateHandle((name,seq)=>globalThis[name].args.get(seq),this.#name,id),!1).getProperties();
for(let[index,handle]of properties)index in args&&handle.remoteObject().subtype==="node"?args[+index]=handle:stack.
use(handle)}catch(e_1){env_1.error=e_1,env_1.hasError=!0}finally{__disposeResources10(env_1)}}await context2.evaluate(
(name,seq,result)=>{let callbacks=globalThis[name].callbacks;callbacks.get(seq).resolve(result),callbacks.delete(
seq)},this.#name,id,await this.#fn(...args));for(let arg of args)arg instanceof JSHandle&&stack.use(arg)}catch(error){
isErrorLike(error)?await context2.evaluate((name,seq,message,stack2)=>{let error2=new Error(message);error2.stack=
stack2;let callbacks=globalThis[name].callbacks;callbacks.get(seq).reject(error2),callbacks.delete(seq)},this.#name,
id,error.message,error.stack).catch(debugError):await context2.evaluate((name,seq,error2)=>{let callbacks=globalThis[name].
callbacks;callbacks.get(seq).reject(error2),callbacks.delete(seq)},this.#name,id,error).catch(debugError)}}};var CdpBluetoothEmulation=class{#connection;constructor(connection){this.#connection=connection}async emulateAdapter(state,leSupported=!0){
await this.#connection.send("BluetoothEmulation.disable"),await this.#connection.send("BluetoothEmulation.enab\
le",{state,leSupported})}async disableEmulation(){await this.#connection.send("BluetoothEmulation.disable")}async simulatePreconnectedPeripheral(preconnectedPeripheral){
await this.#connection.send("BluetoothEmulation.simulatePreconnectedPeripheral",preconnectedPeripheral)}};var ConsoleMessage=class{#type;#text;#args;#stackTraceLocations;#frame;#rawStackTrace;#targetId;constructor(type,text,args,stackTraceLocations,frame,rawStackTrace,targetId){
this.#type=type,this.#text=text,this.#args=args,this.#stackTraceLocations=stackTraceLocations,this.#frame=frame,
this.#rawStackTrace=rawStackTrace,this.#targetId=targetId}type(){return this.#type}text(){return this.#text}args(){
return this.#args}location(){return this.#stackTraceLocations[0]??(this.#frame?{url:this.#frame.url()}:{})}stackTrace(){
return this.#stackTraceLocations}_rawStackTrace(){return this.#rawStackTrace}_targetId(){return this.#targetId}};var FileChooser=class{#element;#multiple;#handled=!1;constructor(element,multiple){this.#element=element,this.#multiple=
multiple}isMultiple(){return this.#multiple}async accept(paths){assert(!this.#handled,"Cannot accept FileChoos\
er which is already handled!"),this.#handled=!0,await this.#element.uploadFile(...paths)}async cancel(){assert(
!this.#handled,"Cannot cancel FileChooser which is already handled!"),this.#handled=!0,await this.#element.evaluate(
element=>{element.dispatchEvent(new Event("cancel",{bubbles:!0}))})}};var NetworkManagerEvent;(function(NetworkManagerEvent2){NetworkManagerEvent2.Request=Symbol("NetworkManager.Re\
quest"),NetworkManagerEvent2.RequestServedFromCache=Symbol("NetworkManager.RequestServedFromCache"),NetworkManagerEvent2.
Response=Symbol("NetworkManager.Response"),NetworkManagerEvent2.RequestFailed=Symbol("NetworkManager.RequestFa\
iled"),NetworkManagerEvent2.RequestFinished=Symbol("NetworkManager.RequestFinished")})(NetworkManagerEvent||(NetworkManagerEvent=
{}));var CallbackRegistry=class{#callbacks=new Map;#idGenerator;constructor(idGenerator){this.#idGenerator=idGenerator}create(label,timeout2,request){
let callback=new Callback(this.#idGenerator(),label,timeout2);this.#callbacks.set(callback.id,callback);try{request(
callback.id)}catch(error){throw callback.promise.catch(debugError).finally(()=>{this.#callbacks.delete(callback.
id)}),callback.reject(error),error}return callback.promise.finally(()=>{this.#callbacks.delete(callback.id)})}reject(id,message,originalMessage){
let callback=this.#callbacks.get(id);callback&&this._reject(callback,message,originalMessage)}rejectRaw(id,error){
let callback=this.#callbacks.get(id);callback&&callback.reject(error)}_reject(callback,errorMessage,originalMessage){
let error,message;errorMessage instanceof ProtocolError?(error=errorMessage,error.cause=callback.error,message=
errorMessage.message):(error=callback.error,message=errorMessage),callback.reject(rewriteError(error,`Protocol\
 error (${callback.label}): ${message}`,originalMessage))}resolve(id,value){let callback=this.#callbacks.get(id);
callback&&callback.resolve(value)}clear(){for(let callback of this.#callbacks.values())this._reject(callback,new TargetCloseError(
"Target closed"));this.#callbacks.clear()}getPendingProtocolErrors(){let result=[];for(let callback of this.#callbacks.
values())result.push(new Error(`${callback.label} timed out. Trace: ${callback.error.stack}`));return result}},
Callback=class{#id;#error=new ProtocolError;#deferred=Deferred.create();#timer;#label;constructor(id,label,timeout2){
this.#id=id,this.#label=label,timeout2&&(this.#timer=setTimeout(()=>{this.#deferred.reject(rewriteError(this.#error,
`${label} timed out. Increase the 'protocolTimeout' setting in launch/connect calls for a higher timeout if ne\
eded.`))},timeout2))}resolve(value){clearTimeout(this.#timer),this.#deferred.resolve(value)}reject(error){clearTimeout(
this.#timer),this.#deferred.reject(error)}get id(){return this.#id}get promise(){return this.#deferred.valueOrThrow()}get error(){
return this.#error}get label(){return this.#label}};var CdpCDPSession=class extends CDPSession{#sessionId;#targetType;#callbacks;#connection;#parentSessionId;#target;#rawErrors=!1;#detached=!1;constructor(connection,targetType,sessionId,parentSessionId,rawErrors){
super(),this.#connection=connection,this.#targetType=targetType,this.#callbacks=new CallbackRegistry(connection.
_idGenerator),this.#sessionId=sessionId,this.#parentSessionId=parentSessionId,this.#rawErrors=rawErrors}setTarget(target){
this.#target=target}target(){return assert(this.#target,"Target must exist"),this.#target}connection(){return this.#connection}get detached(){
return this.#connection._closed||this.#detached}parentSession(){return this.#parentSessionId?this.#connection?.
session(this.#parentSessionId)??void 0:this}send(method,params,options){return this.detached?Promise.reject(new TargetCloseError(
`Protocol error (${method}): Session closed. Most likely the ${this.#targetType} has been closed.`)):this.#connection.
_rawSend(this.#callbacks,method,params,this.#sessionId,options)}onMessage(object){object.id?object.error?this.#rawErrors?
this.#callbacks.rejectRaw(object.id,object.error):this.#callbacks.reject(object.id,createProtocolErrorMessage(
object),object.error.message):this.#callbacks.resolve(object.id,object.result):(assert(!object.id),this.emit(object.
method,object.params))}async detach(){if(this.detached)throw new Error(`Session already detached. Most likely \
the ${this.#targetType} has been closed.`);await this.#connection.send("Target.detachFromTarget",{sessionId:this.#sessionId}),
this.#detached=!0}onClosed(){this.#callbacks.clear(),this.#detached=!0,this.emit(CDPSessionEvent.Disconnected,
void 0)}id(){return this.#sessionId}getPendingProtocolErrors(){return this.#callbacks.getPendingProtocolErrors()}};var debugProtocolSend=debug("puppeteer:protocol:SEND \u25BA"),debugProtocolReceive=debug("puppeteer:protocol:R\
ECV \u25C0"),Connection=class extends EventEmitter{#url;#transport;#delay;#timeout;#sessions=new Map;#closed=!1;#manuallyAttached=new Set;#callbacks;#rawErrors=!1;#idGenerator;constructor(url,transport,delay=0,timeout2,rawErrors=!1,idGenerator=createIncrementalIdGenerator()){
super(),this.#rawErrors=rawErrors,this.#idGenerator=idGenerator,this.#callbacks=new CallbackRegistry(idGenerator),
this.#url=url,this.#delay=delay,this.#timeout=timeout2??18e4,this.#transport=transport,this.#transport.onmessage=
this.onMessage.bind(this),this.#transport.onclose=this.#onClose.bind(this)}static fromSession(session){return session.
connection()}get delay(){return this.#delay}get timeout(){return this.#timeout}get _closed(){return this.#closed}get _idGenerator(){
return this.#idGenerator}get _sessions(){return this.#sessions}_session(sessionId){return this.#sessions.get(sessionId)||
null}session(sessionId){return this._session(sessionId)}url(){return this.#url}send(method,params,options){return this.
_rawSend(this.#callbacks,method,params,void 0,options)}_rawSend(callbacks,method,params,sessionId,options){return this.#closed?
Promise.reject(new ConnectionClosedError("Connection closed.")):callbacks.create(method,options?.timeout??this.#timeout,
id=>{let stringifiedMessage=JSON.stringify({method,params,id,sessionId});debugProtocolSend(stringifiedMessage),
this.#transport.send(stringifiedMessage)})}async closeBrowser(){await this.send("Browser.close")}async onMessage(message){
this.#delay&&await new Promise(r=>setTimeout(r,this.#delay)),debugProtocolReceive(message);let object=JSON.parse(
message);if(object.method==="Target.attachedToTarget"){let sessionId=object.params.sessionId,session=new CdpCDPSession(
this,object.params.targetInfo.type,sessionId,object.sessionId,this.#rawErrors);this.#sessions.set(sessionId,session),
this.emit(CDPSessionEvent.SessionAttached,session);let parentSession=this.#sessions.get(object.sessionId);parentSession&&
parentSession.emit(CDPSessionEvent.SessionAttached,session)}else if(object.method==="Target.detachedFromTarget"){
let session=this.#sessions.get(object.params.sessionId);if(session){session.onClosed(),this.#sessions.delete(object.
params.sessionId),this.emit(CDPSessionEvent.SessionDetached,session);let parentSession=this.#sessions.get(object.
sessionId);parentSession&&parentSession.emit(CDPSessionEvent.SessionDetached,session)}}if(object.sessionId){let session=this.#sessions.
get(object.sessionId);session&&session.onMessage(object)}else object.id?object.error?this.#rawErrors?this.#callbacks.
rejectRaw(object.id,object.error):this.#callbacks.reject(object.id,createProtocolErrorMessage(object),object.error.
message):this.#callbacks.resolve(object.id,object.result):this.emit(object.method,object.params)}#onClose(){if(!this.#closed){
this.#closed=!0,this.#transport.onmessage=void 0,this.#transport.onclose=void 0,this.#callbacks.clear();for(let session of this.#sessions.
values())session.onClosed();this.#sessions.clear(),this.emit(CDPSessionEvent.Disconnected,void 0)}}dispose(){this.#onClose(),
this.#transport.close()}isAutoAttached(targetId){return!this.#manuallyAttached.has(targetId)}async _createSession(targetInfo,isAutoAttachEmulated=!0){
isAutoAttachEmulated||this.#manuallyAttached.add(targetInfo.targetId);let{sessionId}=await this.send("Target.a\
ttachToTarget",{targetId:targetInfo.targetId,flatten:!0});this.#manuallyAttached.delete(targetInfo.targetId);let session=this.#sessions.
get(sessionId);if(!session)throw new Error("CDPSession creation failed.");return session}async createSession(targetInfo){
return await this._createSession(targetInfo,!1)}getPendingProtocolErrors(){let result=[];result.push(...this.#callbacks.
getPendingProtocolErrors());for(let session of this.#sessions.values())result.push(...session.getPendingProtocolErrors());
return result}};function isTargetClosedError(error){return error instanceof TargetCloseError}var Coverage=class{#jsCoverage;#cssCoverage;constructor(client){this.#jsCoverage=new JSCoverage(client),this.#cssCoverage=
new CSSCoverage(client)}updateClient(client){this.#jsCoverage.updateClient(client),this.#cssCoverage.updateClient(
client)}async startJSCoverage(options={}){return await this.#jsCoverage.start(options)}async stopJSCoverage(){
return await this.#jsCoverage.stop()}async startCSSCoverage(options={}){return await this.#cssCoverage.start(options)}async stopCSSCoverage(){
return await this.#cssCoverage.stop()}},JSCoverage=class{#client;#enabled=!1;#scriptURLs=new Map;#scriptSources=new Map;#subscriptions;#resetOnNavigation=!1;#reportAnonymousScripts=!1;#includeRawScriptCoverage=!1;constructor(client){
this.#client=client}updateClient(client){this.#client=client}async start(options={}){assert(!this.#enabled,"JS\
Coverage is already enabled");let{resetOnNavigation=!0,reportAnonymousScripts=!1,includeRawScriptCoverage=!1,useBlockCoverage=!0}=options;
this.#resetOnNavigation=resetOnNavigation,this.#reportAnonymousScripts=reportAnonymousScripts,this.#includeRawScriptCoverage=
includeRawScriptCoverage,this.#enabled=!0,this.#scriptURLs.clear(),this.#scriptSources.clear(),this.#subscriptions=
new DisposableStack;let clientEmitter=this.#subscriptions.use(new EventEmitter(this.#client));clientEmitter.on(
"Debugger.scriptParsed",this.#onScriptParsed.bind(this)),clientEmitter.on("Runtime.executionContextsCleared",this.#onExecutionContextsCleared.
bind(this)),await Promise.all([this.#client.send("Profiler.enable"),this.#client.send("Profiler.startPreciseCo\
verage",{callCount:this.#includeRawScriptCoverage,detailed:useBlockCoverage}),this.#client.send("Debugger.enab\
le"),this.#client.send("Debugger.setSkipAllPauses",{skip:!0})])}#onExecutionContextsCleared(){this.#resetOnNavigation&&
(this.#scriptURLs.clear(),this.#scriptSources.clear())}async#onScriptParsed(event){if(!PuppeteerURL.isPuppeteerURL(
event.url)&&!(!event.url&&!this.#reportAnonymousScripts))try{let response=await this.#client.send("Debugger.ge\
tScriptSource",{scriptId:event.scriptId});this.#scriptURLs.set(event.scriptId,event.url),this.#scriptSources.set(
event.scriptId,response.scriptSource)}catch(error){debugError(error)}}async stop(){assert(this.#enabled,"JSCov\
erage is not enabled"),this.#enabled=!1;let result=await Promise.all([this.#client.send("Profiler.takePreciseC\
overage"),this.#client.send("Profiler.stopPreciseCoverage"),this.#client.send("Profiler.disable"),this.#client.
send("Debugger.disable")]);this.#subscriptions?.dispose();let coverage=[],profileResponse=result[0];for(let entry of profileResponse.
result){let url=this.#scriptURLs.get(entry.scriptId);!url&&this.#reportAnonymousScripts&&(url="debugger://VM"+
entry.scriptId);let text=this.#scriptSources.get(entry.scriptId);if(text===void 0||url===void 0)continue;let flattenRanges=[];
for(let func of entry.functions)flattenRanges.push(...func.ranges);let ranges=convertToDisjointRanges(flattenRanges);
this.#includeRawScriptCoverage?coverage.push({url,ranges,text,rawScriptCoverage:entry}):coverage.push({url,ranges,
text})}return coverage}},CSSCoverage=class{#client;#enabled=!1;#stylesheetURLs=new Map;#stylesheetSources=new Map;#eventListeners;#resetOnNavigation=!1;constructor(client){
this.#client=client}updateClient(client){this.#client=client}async start(options={}){assert(!this.#enabled,"CS\
SCoverage is already enabled");let{resetOnNavigation=!0}=options;this.#resetOnNavigation=resetOnNavigation,this.#enabled=
!0,this.#stylesheetURLs.clear(),this.#stylesheetSources.clear(),this.#eventListeners=new DisposableStack;let clientEmitter=this.#eventListeners.
use(new EventEmitter(this.#client));clientEmitter.on("CSS.styleSheetAdded",this.#onStyleSheet.bind(this)),clientEmitter.
on("Runtime.executionContextsCleared",this.#onExecutionContextsCleared.bind(this)),await Promise.all([this.#client.
send("DOM.enable"),this.#client.send("CSS.enable"),this.#client.send("CSS.startRuleUsageTracking")])}#onExecutionContextsCleared(){
this.#resetOnNavigation&&(this.#stylesheetURLs.clear(),this.#stylesheetSources.clear())}async#onStyleSheet(event){
let header=event.header;if(header.sourceURL)try{let response=await this.#client.send("CSS.getStyleSheetText",{
styleSheetId:header.styleSheetId});this.#stylesheetURLs.set(header.styleSheetId,header.sourceURL),this.#stylesheetSources.
set(header.styleSheetId,response.text)}catch(error){debugError(error)}}async stop(){assert(this.#enabled,"CSSC\
overage is not enabled"),this.#enabled=!1;let ruleTrackingResponse=await this.#client.send("CSS.stopRuleUsageT\
racking");await Promise.all([this.#client.send("CSS.disable"),this.#client.send("DOM.disable")]),this.#eventListeners?.
dispose();let styleSheetIdToCoverage=new Map;for(let entry of ruleTrackingResponse.ruleUsage){let ranges=styleSheetIdToCoverage.
get(entry.styleSheetId);ranges||(ranges=[],styleSheetIdToCoverage.set(entry.styleSheetId,ranges)),ranges.push(
{startOffset:entry.startOffset,endOffset:entry.endOffset,count:entry.used?1:0})}let coverage=[];for(let styleSheetId of this.#stylesheetURLs.
keys()){let url=this.#stylesheetURLs.get(styleSheetId);assert(typeof url<"u",`Stylesheet URL is undefined (sty\
leSheetId=${styleSheetId})`);let text=this.#stylesheetSources.get(styleSheetId);assert(typeof text<"u",`Styles\
heet text is undefined (styleSheetId=${styleSheetId})`);let ranges=convertToDisjointRanges(styleSheetIdToCoverage.
get(styleSheetId)||[]);coverage.push({url,ranges,text})}return coverage}};function convertToDisjointRanges(nestedRanges){
let points=[];for(let range of nestedRanges)points.push({offset:range.startOffset,type:0,range}),points.push({
offset:range.endOffset,type:1,range});points.sort((a2,b2)=>{if(a2.offset!==b2.offset)return a2.offset-b2.offset;
if(a2.type!==b2.type)return b2.type-a2.type;let aLength=a2.range.endOffset-a2.range.startOffset,bLength=b2.range.
endOffset-b2.range.startOffset;return a2.type===0?bLength-aLength:aLength-bLength});let hitCountStack=[],results=[],
lastOffset=0;for(let point of points){if(hitCountStack.length&&lastOffset<point.offset&&hitCountStack[hitCountStack.
length-1]>0){let lastResult=results[results.length-1];lastResult&&lastResult.end===lastOffset?lastResult.end=point.
offset:results.push({start:lastOffset,end:point.offset})}lastOffset=point.offset,point.type===0?hitCountStack.
push(point.range.count):hitCountStack.pop()}return results.filter(range=>range.end-range.start>0)}var CdpDialog=class extends Dialog{#client;constructor(client,type,message,defaultValue=""){super(type,message,
defaultValue),this.#client=client}async handle(options){await this.#client.send("Page.handleJavaScriptDialog",
{accept:options.accept,promptText:options.text})}};var __runInitializers5=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate5=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},__setFunctionName2=function(f,name,prefix){
return typeof name=="symbol"&&(name=name.description?"[".concat(name.description,"]"):""),Object.defineProperty(
f,"name",{configurable:!0,value:prefix?"".concat(prefix," ",name):name})},EmulatedState=class{#state;#clientProvider;#updater;constructor(initialState,clientProvider,updater){
this.#state=initialState,this.#clientProvider=clientProvider,this.#updater=updater,this.#clientProvider.registerState(
this)}async setState(state){this.#state=state,await this.sync()}get state(){return this.#state}async sync(){await Promise.
all(this.#clientProvider.clients().map(client=>this.#updater(client,this.#state)))}},EmulationManager=(()=>{let _instanceExtraInitializers=[],
_private_applyViewport_decorators,_private_applyViewport_descriptor,_private_emulateIdleState_decorators,_private_emulateIdleState_descriptor,
_private_emulateTimezone_decorators,_private_emulateTimezone_descriptor,_private_emulateVisionDeficiency_decorators,
_private_emulateVisionDeficiency_descriptor,_private_emulateCpuThrottling_decorators,_private_emulateCpuThrottling_descriptor,
_private_emulateMediaFeatures_decorators,_private_emulateMediaFeatures_descriptor,_private_emulateMediaType_decorators,
_private_emulateMediaType_descriptor,_private_setGeolocation_decorators,_private_setGeolocation_descriptor,_private_setDefaultBackgroundColor_decorators,
_private_setDefaultBackgroundColor_descriptor,_private_setJavaScriptEnabled_decorators,_private_setJavaScriptEnabled_descriptor,
_private_emulateFocus_decorators,_private_emulateFocus_descriptor;return class{static{let _metadata=typeof Symbol==
"function"&&Symbol.metadata?Object.create(null):void 0;_private_applyViewport_decorators=[invokeAtMostOnceForArguments],
_private_emulateIdleState_decorators=[invokeAtMostOnceForArguments],_private_emulateTimezone_decorators=[invokeAtMostOnceForArguments],
_private_emulateVisionDeficiency_decorators=[invokeAtMostOnceForArguments],_private_emulateCpuThrottling_decorators=
[invokeAtMostOnceForArguments],_private_emulateMediaFeatures_decorators=[invokeAtMostOnceForArguments],_private_emulateMediaType_decorators=
[invokeAtMostOnceForArguments],_private_setGeolocation_decorators=[invokeAtMostOnceForArguments],_private_setDefaultBackgroundColor_decorators=
[invokeAtMostOnceForArguments],_private_setJavaScriptEnabled_decorators=[invokeAtMostOnceForArguments],_private_emulateFocus_decorators=
[invokeAtMostOnceForArguments],__esDecorate5(this,_private_applyViewport_descriptor={value:__setFunctionName2(
async function(client,viewportState){if(!viewportState.viewport){await Promise.all([client.send("Emulation.cle\
arDeviceMetricsOverride"),client.send("Emulation.setTouchEmulationEnabled",{enabled:!1})]).catch(debugError);return}
let{viewport}=viewportState,mobile=viewport.isMobile||!1,width=viewport.width,height=viewport.height,deviceScaleFactor=viewport.
deviceScaleFactor??1,screenOrientation=viewport.isLandscape?{angle:90,type:"landscapePrimary"}:{angle:0,type:"\
portraitPrimary"},hasTouch=viewport.hasTouch||!1;await Promise.all([client.send("Emulation.setDeviceMetricsOve\
rride",{mobile,width,height,deviceScaleFactor,screenOrientation}).catch(err=>{if(err.message.includes("Target \
does not support metrics override")){debugError(err);return}throw err}),client.send("Emulation.setTouchEmulati\
onEnabled",{enabled:hasTouch})])},"#applyViewport")},_private_applyViewport_decorators,{kind:"method",name:"#a\
pplyViewport",static:!1,private:!0,access:{has:obj=>#applyViewport in obj,get:obj=>obj.#applyViewport},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateIdleState_descriptor={value:__setFunctionName2(
async function(client,idleStateState){idleStateState.active&&(idleStateState.overrides?await client.send("Emul\
ation.setIdleOverride",{isUserActive:idleStateState.overrides.isUserActive,isScreenUnlocked:idleStateState.overrides.
isScreenUnlocked}):await client.send("Emulation.clearIdleOverride"))},"#emulateIdleState")},_private_emulateIdleState_decorators,
{kind:"method",name:"#emulateIdleState",static:!1,private:!0,access:{has:obj=>#emulateIdleState in obj,get:obj=>obj.#emulateIdleState},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateTimezone_descriptor={value:__setFunctionName2(
async function(client,timezoneState){if(timezoneState.active)try{await client.send("Emulation.setTimezoneOverr\
ide",{timezoneId:timezoneState.timezoneId||""})}catch(error){throw isErrorLike(error)&&error.message.includes(
"Invalid timezone")?new Error(`Invalid timezone ID: ${timezoneState.timezoneId}`):error}},"#emulateTimezone")},
_private_emulateTimezone_decorators,{kind:"method",name:"#emulateTimezone",static:!1,private:!0,access:{has:obj=>#emulateTimezone in
obj,get:obj=>obj.#emulateTimezone},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateVisionDeficiency_descriptor=
{value:__setFunctionName2(async function(client,visionDeficiency){visionDeficiency.active&&await client.send("\
Emulation.setEmulatedVisionDeficiency",{type:visionDeficiency.visionDeficiency||"none"})},"#emulateVisionDefic\
iency")},_private_emulateVisionDeficiency_decorators,{kind:"method",name:"#emulateVisionDeficiency",static:!1,
private:!0,access:{has:obj=>#emulateVisionDeficiency in obj,get:obj=>obj.#emulateVisionDeficiency},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateCpuThrottling_descriptor={value:__setFunctionName2(
async function(client,state){state.active&&await client.send("Emulation.setCPUThrottlingRate",{rate:state.factor??
1})},"#emulateCpuThrottling")},_private_emulateCpuThrottling_decorators,{kind:"method",name:"#emulateCpuThrott\
ling",static:!1,private:!0,access:{has:obj=>#emulateCpuThrottling in obj,get:obj=>obj.#emulateCpuThrottling},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateMediaFeatures_descriptor={value:__setFunctionName2(
async function(client,state){state.active&&await client.send("Emulation.setEmulatedMedia",{features:state.mediaFeatures})},
"#emulateMediaFeatures")},_private_emulateMediaFeatures_decorators,{kind:"method",name:"#emulateMediaFeatures",
static:!1,private:!0,access:{has:obj=>#emulateMediaFeatures in obj,get:obj=>obj.#emulateMediaFeatures},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate5(this,_private_emulateMediaType_descriptor={value:__setFunctionName2(
async function(client,state){state.active&&await client.send("Emulation.setEmulatedMedia",{media:state.type||""})},
"#emulateMediaType")},_private_emulateMediaType_decorators,{kind:"method",name:"#emulateMediaType",static:!1,private:!0,
access:{has:obj=>#emulateMediaType in obj,get:obj=>obj.#emulateMediaType},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate5(this,_private_setGeolocation_descriptor={value:__setFunctionName2(async function(client,state){state.
active&&await client.send("Emulation.setGeolocationOverride",state.geoLocation?{longitude:state.geoLocation.longitude,
latitude:state.geoLocation.latitude,accuracy:state.geoLocation.accuracy}:void 0)},"#setGeolocation")},_private_setGeolocation_decorators,
{kind:"method",name:"#setGeolocation",static:!1,private:!0,access:{has:obj=>#setGeolocation in obj,get:obj=>obj.#setGeolocation},
metadata:_metadata},null,_instanceExtraInitializers),__esDecorate5(this,_private_setDefaultBackgroundColor_descriptor=
{value:__setFunctionName2(async function(client,state){state.active&&await client.send("Emulation.setDefaultBa\
ckgroundColorOverride",{color:state.color})},"#setDefaultBackgroundColor")},_private_setDefaultBackgroundColor_decorators,
{kind:"method",name:"#setDefaultBackgroundColor",static:!1,private:!0,access:{has:obj=>#setDefaultBackgroundColor in
obj,get:obj=>obj.#setDefaultBackgroundColor},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate5(
this,_private_setJavaScriptEnabled_descriptor={value:__setFunctionName2(async function(client,state){state.active&&
await client.send("Emulation.setScriptExecutionDisabled",{value:!state.javaScriptEnabled})},"#setJavaScriptEna\
bled")},_private_setJavaScriptEnabled_decorators,{kind:"method",name:"#setJavaScriptEnabled",static:!1,private:!0,
access:{has:obj=>#setJavaScriptEnabled in obj,get:obj=>obj.#setJavaScriptEnabled},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate5(this,_private_emulateFocus_descriptor={value:__setFunctionName2(async function(client,state){state.
active&&await client.send("Emulation.setFocusEmulationEnabled",{enabled:state.enabled})},"#emulateFocus")},_private_emulateFocus_decorators,
{kind:"method",name:"#emulateFocus",static:!1,private:!0,access:{has:obj=>#emulateFocus in obj,get:obj=>obj.#emulateFocus},
metadata:_metadata},null,_instanceExtraInitializers),_metadata&&Object.defineProperty(this,Symbol.metadata,{enumerable:!0,
configurable:!0,writable:!0,value:_metadata})}#client=__runInitializers5(this,_instanceExtraInitializers);#emulatingMobile=!1;#hasTouch=!1;#states=[];#viewportState=new EmulatedState(
{active:!1},this,this.#applyViewport);#idleOverridesState=new EmulatedState({active:!1},this,this.#emulateIdleState);#timezoneState=new EmulatedState(
{active:!1},this,this.#emulateTimezone);#visionDeficiencyState=new EmulatedState({active:!1},this,this.#emulateVisionDeficiency);#cpuThrottlingState=new EmulatedState(
{active:!1},this,this.#emulateCpuThrottling);#mediaFeaturesState=new EmulatedState({active:!1},this,this.#emulateMediaFeatures);#mediaTypeState=new EmulatedState(
{active:!1},this,this.#emulateMediaType);#geoLocationState=new EmulatedState({active:!1},this,this.#setGeolocation);#defaultBackgroundColorState=new EmulatedState(
{active:!1},this,this.#setDefaultBackgroundColor);#javascriptEnabledState=new EmulatedState({javaScriptEnabled:!0,
active:!1},this,this.#setJavaScriptEnabled);#focusState=new EmulatedState({enabled:!0,active:!1},this,this.#emulateFocus);#secondaryClients=new Set;constructor(client){
this.#client=client}updateClient(client){this.#client=client,this.#secondaryClients.delete(client)}registerState(state){
this.#states.push(state)}clients(){return[this.#client,...Array.from(this.#secondaryClients)]}async registerSpeculativeSession(client){
this.#secondaryClients.add(client),client.once(CDPSessionEvent.Disconnected,()=>{this.#secondaryClients.delete(
client)}),Promise.all(this.#states.map(s=>s.sync().catch(debugError)))}get javascriptEnabled(){return this.#javascriptEnabledState.
state.javaScriptEnabled}async emulateViewport(viewport){let currentState=this.#viewportState.state;if(!viewport&&
!currentState.active)return!1;await this.#viewportState.setState(viewport?{viewport,active:!0}:{active:!1});let mobile=viewport?.
isMobile||!1,hasTouch=viewport?.hasTouch||!1,reloadNeeded=this.#emulatingMobile!==mobile||this.#hasTouch!==hasTouch;
return this.#emulatingMobile=mobile,this.#hasTouch=hasTouch,reloadNeeded}get#applyViewport(){return _private_applyViewport_descriptor.
value}async emulateIdleState(overrides){await this.#idleOverridesState.setState({active:!0,overrides})}get#emulateIdleState(){
return _private_emulateIdleState_descriptor.value}get#emulateTimezone(){return _private_emulateTimezone_descriptor.
value}async emulateTimezone(timezoneId){await this.#timezoneState.setState({timezoneId,active:!0})}get#emulateVisionDeficiency(){
return _private_emulateVisionDeficiency_descriptor.value}async emulateVisionDeficiency(type){assert(!type||new Set(
["none","achromatopsia","blurredVision","deuteranopia","protanopia","reducedContrast","tritanopia"]).has(type),
`Unsupported vision deficiency: ${type}`),await this.#visionDeficiencyState.setState({active:!0,visionDeficiency:type})}get#emulateCpuThrottling(){
return _private_emulateCpuThrottling_descriptor.value}async emulateCPUThrottling(factor){assert(factor===null||
factor>=1,"Throttling rate should be greater or equal to 1"),await this.#cpuThrottlingState.setState({active:!0,
factor:factor??void 0})}get#emulateMediaFeatures(){return _private_emulateMediaFeatures_descriptor.value}async emulateMediaFeatures(features){
if(Array.isArray(features))for(let mediaFeature of features){let name=mediaFeature.name;assert(/^(?:prefers-(?:color-scheme|reduced-motion)|color-gamut)$/.
test(name),"Unsupported media feature: "+name)}await this.#mediaFeaturesState.setState({active:!0,mediaFeatures:features})}get#emulateMediaType(){
return _private_emulateMediaType_descriptor.value}async emulateMediaType(type){assert(type==="screen"||type===
"print"||(type??void 0)===void 0,"Unsupported media type: "+type),await this.#mediaTypeState.setState({type,active:!0})}get#setGeolocation(){
return _private_setGeolocation_descriptor.value}async setGeolocation(options){let{longitude,latitude,accuracy=0}=options;
if(longitude<-180||longitude>180)throw new Error(`Invalid longitude "${longitude}": precondition -180 <= LONGI\
TUDE <= 180 failed.`);if(latitude<-90||latitude>90)throw new Error(`Invalid latitude "${latitude}": preconditi\
on -90 <= LATITUDE <= 90 failed.`);if(accuracy<0)throw new Error(`Invalid accuracy "${accuracy}": precondition\
 0 <= ACCURACY failed.`);await this.#geoLocationState.setState({active:!0,geoLocation:{longitude,latitude,accuracy}})}get#setDefaultBackgroundColor(){
return _private_setDefaultBackgroundColor_descriptor.value}async resetDefaultBackgroundColor(){await this.#defaultBackgroundColorState.
setState({active:!0,color:void 0})}async setTransparentBackgroundColor(){await this.#defaultBackgroundColorState.
setState({active:!0,color:{r:0,g:0,b:0,a:0}})}get#setJavaScriptEnabled(){return _private_setJavaScriptEnabled_descriptor.
value}async setJavaScriptEnabled(enabled){await this.#javascriptEnabledState.setState({active:!0,javaScriptEnabled:enabled})}get#emulateFocus(){
return _private_emulateFocus_descriptor.value}async emulateFocus(enabled){await this.#focusState.setState({active:!0,
enabled})}}})();var CdpIssue=class{#code;#details;constructor(issue){this.#code=issue.code,this.#details=issue.details}get code(){
return this.#code}get details(){return this.#details}};var CdpPreloadScript=class{#id;#source;#frameToId=new WeakMap;constructor(mainFrame,id,source2){this.#id=id,this.#source=
source2,this.#frameToId.set(mainFrame,id)}get id(){return this.#id}get source(){return this.#source}getIdForFrame(frame){
return this.#frameToId.get(frame)}setIdForFrame(frame,identifier){this.#frameToId.set(frame,identifier)}};var CdpDeviceRequestPrompt=class extends DeviceRequestPrompt{#client;#timeoutSettings;#id;#handled=!1;#updateDevicesHandle=this.#updateDevices.
bind(this);#waitForDevicePromises=new Set;constructor(client,timeoutSettings,firstEvent){super(),this.#client=
client,this.#timeoutSettings=timeoutSettings,this.#id=firstEvent.id,this.#client.on("DeviceAccess.deviceReques\
tPrompted",this.#updateDevicesHandle),this.#client.on("Target.detachedFromTarget",()=>{this.#client=null}),this.#updateDevices(
firstEvent)}#updateDevices(event){if(event.id===this.#id)for(let rawDevice of event.devices){if(this.devices.some(
device=>device.id===rawDevice.id))continue;let newDevice={id:rawDevice.id,name:rawDevice.name};this.devices.push(
newDevice);for(let waitForDevicePromise of this.#waitForDevicePromises)waitForDevicePromise.filter(newDevice)&&
waitForDevicePromise.promise.resolve(newDevice)}}async waitForDevice(filter2,options={}){for(let device of this.
devices)if(filter2(device))return device;let{timeout:timeout2=this.#timeoutSettings.timeout()}=options,deferred=Deferred.
create({message:`Waiting for \`DeviceRequestPromptDevice\` failed: ${timeout2}ms exceeded`,timeout:timeout2});
options.signal&&options.signal.addEventListener("abort",()=>{deferred.reject(options.signal?.reason)},{once:!0});
let handle={filter:filter2,promise:deferred};this.#waitForDevicePromises.add(handle);try{return await deferred.
valueOrThrow()}finally{this.#waitForDevicePromises.delete(handle)}}async select(device){return assert(this.#client!==
null,"Cannot select device through detached session!"),assert(this.devices.includes(device),"Cannot select unk\
nown device!"),assert(!this.#handled,"Cannot select DeviceRequestPrompt which is already handled!"),this.#client.
off("DeviceAccess.deviceRequestPrompted",this.#updateDevicesHandle),this.#handled=!0,await this.#client.send("\
DeviceAccess.selectPrompt",{id:this.#id,deviceId:device.id})}async cancel(){return assert(this.#client!==null,
"Cannot cancel prompt through detached session!"),assert(!this.#handled,"Cannot cancel DeviceRequestPrompt whi\
ch is already handled!"),this.#client.off("DeviceAccess.deviceRequestPrompted",this.#updateDevicesHandle),this.#handled=
!0,await this.#client.send("DeviceAccess.cancelPrompt",{id:this.#id})}},CdpDeviceRequestPromptManager=class{#client;#timeoutSettings;#deviceRequestPromptDeferreds=new Set;constructor(client,timeoutSettings){
this.#client=client,this.#timeoutSettings=timeoutSettings,this.#client.on("DeviceAccess.deviceRequestPrompted",
event=>{this.#onDeviceRequestPrompted(event)}),this.#client.on("Target.detachedFromTarget",()=>{this.#client=null})}async waitForDevicePrompt(options={}){
assert(this.#client!==null,"Cannot wait for device prompt through detached session!");let needsEnable=this.#deviceRequestPromptDeferreds.
size===0,enablePromise;needsEnable&&(enablePromise=this.#client.send("DeviceAccess.enable"));let{timeout:timeout2=this.#timeoutSettings.
timeout()}=options,deferred=Deferred.create({message:`Waiting for \`DeviceRequestPrompt\` failed: ${timeout2}m\
s exceeded`,timeout:timeout2});options.signal&&options.signal.addEventListener("abort",()=>{deferred.reject(options.
signal?.reason)},{once:!0}),this.#deviceRequestPromptDeferreds.add(deferred);try{let[result]=await Promise.all(
[deferred.valueOrThrow(),enablePromise]);return result}finally{this.#deviceRequestPromptDeferreds.delete(deferred)}}#onDeviceRequestPrompted(event){
if(!this.#deviceRequestPromptDeferreds.size)return;assert(this.#client!==null);let devicePrompt=new CdpDeviceRequestPrompt(
this.#client,this.#timeoutSettings,event);for(let promise of this.#deviceRequestPromptDeferreds)promise.resolve(
devicePrompt);this.#deviceRequestPromptDeferreds.clear()}};function createConsoleMessage(event,values,targetId){let textTokens=[];for(let arg of values)textTokens.push(valueFromJSHandle(
arg));let stackTraceLocations=[];if(event.stackTrace)for(let callFrame of event.stackTrace.callFrames)stackTraceLocations.
push({url:callFrame.url,lineNumber:callFrame.lineNumber,columnNumber:callFrame.columnNumber});return new ConsoleMessage(
convertConsoleMessageLevel(event.type),textTokens.join(" "),values,stackTraceLocations,void 0,event.stackTrace,
targetId)}function createEvaluationError(details){let name,message;if(!details.exception)name="Error",message=
details.text;else{if((details.exception.type!=="object"||details.exception.subtype!=="error")&&!details.exception.
objectId)return valueFromPrimitiveRemoteObject(details.exception);{let detail=getErrorDetails(details);name=detail.
name,message=detail.message}}let messageHeight=message.split(`
`).length,error=new Error(message);error.name=name;let stackLines=error.stack.split(`
`),messageLines=stackLines.splice(0,messageHeight);if(stackLines.shift(),details.stackTrace&&stackLines.length<
Error.stackTraceLimit)for(let frame of details.stackTrace.callFrames.reverse()){if(PuppeteerURL.isPuppeteerURL(
frame.url)&&frame.url!==PuppeteerURL.INTERNAL_URL){let url=PuppeteerURL.parse(frame.url);stackLines.unshift(` \
   at ${frame.functionName||url.functionName} (${url.functionName} at ${url.siteString}, <anonymous>:${frame.lineNumber}\
:${frame.columnNumber})`)}else stackLines.push(`    at ${frame.functionName||"<anonymous>"} (${frame.url}:${frame.
lineNumber}:${frame.columnNumber})`);if(stackLines.length>=Error.stackTraceLimit)break}return error.stack=[...messageLines,
...stackLines].join(`
`),error}var getErrorDetails=details=>{let name="",message,lines=details.exception?.description?.split(`
    at `)??[],size=Math.min(details.stackTrace?.callFrames.length??0,lines.length-1);return lines.splice(-size,
size),details.exception?.className&&(name=details.exception.className),message=lines.join(`
`),name&&message.startsWith(`${name}: `)&&(message=message.slice(name.length+2)),{message,name}};function createClientError(details){
let name,message;if(!details.exception)name="Error",message=details.text;else{if((details.exception.type!=="ob\
ject"||details.exception.subtype!=="error")&&!details.exception.objectId)return valueFromPrimitiveRemoteObject(
details.exception);{let detail=getErrorDetails(details);name=detail.name,message=detail.message}}let error=new Error(
message);error.name=name;let messageHeight=error.message.split(`
`).length,messageLines=error.stack.split(`
`).splice(0,messageHeight),stackLines=[];if(details.stackTrace){for(let frame of details.stackTrace.callFrames)
if(stackLines.push(`    at ${frame.functionName||"<anonymous>"} (${frame.url}:${frame.lineNumber+1}:${frame.columnNumber+
1})`),stackLines.length>=Error.stackTraceLimit)break}return error.stack=[...messageLines,...stackLines].join(`\

`),error}function valueFromJSHandle(handle){let remoteObject=handle.remoteObject();return remoteObject.objectId?
valueFromRemoteObjectReference(handle):valueFromPrimitiveRemoteObject(remoteObject)}function valueFromRemoteObjectReference(handle){
let remoteObject=handle.remoteObject();assert(remoteObject.objectId,"Cannot extract value when no objectId is \
given");let description=remoteObject.description??"";if(remoteObject.subtype==="error"&&description){let newlineIdx=description.
indexOf(`
`);return newlineIdx===-1?description:description.slice(0,newlineIdx)}return`[${remoteObject.subtype||remoteObject.
type} ${remoteObject.className}]`}function valueFromPrimitiveRemoteObject(remoteObject){if(assert(!remoteObject.
objectId,"Cannot extract value when objectId is given"),remoteObject.unserializableValue){if(remoteObject.type===
"bigint")return BigInt(remoteObject.unserializableValue.replace("n",""));switch(remoteObject.unserializableValue){case"\
-0":return-0;case"NaN":return NaN;case"Infinity":return 1/0;case"-Infinity":return-1/0;default:throw new Error(
"Unsupported unserializable value: "+remoteObject.unserializableValue)}}return remoteObject.value}function addPageBinding(type,name,prefix){
globalThis[name]||Object.assign(globalThis,{[name](...args){let callPuppeteer=globalThis[name];callPuppeteer.args??=
new Map,callPuppeteer.callbacks??=new Map;let seq=(callPuppeteer.lastSeq??0)+1;return callPuppeteer.lastSeq=seq,
callPuppeteer.args.set(seq,args),globalThis[prefix+name](JSON.stringify({type,name,seq,args,isTrivial:!args.some(
value=>value instanceof Node)})),new Promise((resolve,reject)=>{callPuppeteer.callbacks.set(seq,{resolve(value){
callPuppeteer.args.delete(seq),resolve(value)},reject(value){callPuppeteer.args.delete(seq),reject(value)}})})}})}
var CDP_BINDING_PREFIX="puppeteer_";function pageBindingInitString(type,name){return evaluationString(addPageBinding,
type,name,CDP_BINDING_PREFIX)}function convertConsoleMessageLevel(method){return method==="warning"?"warn":method}var CdpJSHandle=class extends JSHandle{#disposed=!1;#remoteObject;#world;constructor(world,remoteObject){super(),
this.#world=world,this.#remoteObject=remoteObject}get disposed(){return this.#disposed}get realm(){return this.#world}get client(){
return this.realm.environment.client}async jsonValue(){if(!this.#remoteObject.objectId)return valueFromPrimitiveRemoteObject(
this.#remoteObject);let value=await this.evaluate(object=>object);if(value===void 0)throw new Error("Could not\
 serialize referenced object");return value}asElement(){return null}async dispose(){this.#disposed||(this.#disposed=
!0,await releaseObject(this.client,this.#remoteObject))}toString(){return this.#remoteObject.objectId?"JSHandl\
e@"+(this.#remoteObject.subtype||this.#remoteObject.type):"JSHandle:"+valueFromPrimitiveRemoteObject(this.#remoteObject)}get id(){
return this.#remoteObject.objectId}remoteObject(){return this.#remoteObject}async getProperties(){let response=await this.
client.send("Runtime.getProperties",{objectId:this.#remoteObject.objectId,ownProperties:!0}),result=new Map;for(let property of response.
result)!property.enumerable||!property.value||result.set(property.name,this.#world.createCdpHandle(property.value));
return result}};async function releaseObject(client,remoteObject){remoteObject.objectId&&await client.send("Ru\
ntime.releaseObject",{objectId:remoteObject.objectId}).catch(error=>{debugError(error)})}var __runInitializers6=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate6=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},NON_ELEMENT_NODE_ROLES=new Set(
["StaticText","InlineTextBox"]),CdpElementHandle=(()=>{let _classSuper=ElementHandle,_instanceExtraInitializers=[],
_contentFrame_decorators,_scrollIntoView_decorators,_uploadFile_decorators,_autofill_decorators;return class extends _classSuper{static{
let _metadata=typeof Symbol=="function"&&Symbol.metadata?Object.create(_classSuper[Symbol.metadata]??null):void 0;
_contentFrame_decorators=[throwIfDisposed()],_scrollIntoView_decorators=[throwIfDisposed(),bindIsolatedHandle],
_uploadFile_decorators=[throwIfDisposed(),bindIsolatedHandle],_autofill_decorators=[throwIfDisposed()],__esDecorate6(
this,null,_contentFrame_decorators,{kind:"method",name:"contentFrame",static:!1,private:!1,access:{has:obj=>"c\
ontentFrame"in obj,get:obj=>obj.contentFrame},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate6(
this,null,_scrollIntoView_decorators,{kind:"method",name:"scrollIntoView",static:!1,private:!1,access:{has:obj=>"\
scrollIntoView"in obj,get:obj=>obj.scrollIntoView},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate6(
this,null,_uploadFile_decorators,{kind:"method",name:"uploadFile",static:!1,private:!1,access:{has:obj=>"uploa\
dFile"in obj,get:obj=>obj.uploadFile},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate6(this,
null,_autofill_decorators,{kind:"method",name:"autofill",static:!1,private:!1,access:{has:obj=>"autofill"in obj,
get:obj=>obj.autofill},metadata:_metadata},null,_instanceExtraInitializers),_metadata&&Object.defineProperty(this,
Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:_metadata})}#backendNodeId=__runInitializers6(
this,_instanceExtraInitializers);constructor(world,remoteObject){super(new CdpJSHandle(world,remoteObject))}get realm(){
return this.handle.realm}get client(){return this.handle.client}remoteObject(){return this.handle.remoteObject()}get#frameManager(){
return this.frame._frameManager}get frame(){return this.realm.environment}async contentFrame(){let nodeInfo=await this.
client.send("DOM.describeNode",{objectId:this.id});return typeof nodeInfo.node.frameId!="string"?null:this.#frameManager.
frame(nodeInfo.node.frameId)}async scrollIntoView(){await this.assertConnectedElement();try{await this.client.
send("DOM.scrollIntoViewIfNeeded",{objectId:this.id})}catch(error){debugError(error),await super.scrollIntoView()}}async uploadFile(...files){
let isMultiple=await this.evaluate(element=>element.multiple);assert(files.length<=1||isMultiple,"Multiple fil\
e uploads only work with <input type=file multiple>");let path=environment.value.path;if(path&&(files=files.map(
filePath=>path.win32.isAbsolute(filePath)||path.posix.isAbsolute(filePath)?filePath:path.resolve(filePath))),files.
length===0){await this.evaluate(element=>{element.files=new DataTransfer().files,element.dispatchEvent(new Event(
"input",{bubbles:!0,composed:!0})),element.dispatchEvent(new Event("change",{bubbles:!0}))});return}let{node:{
backendNodeId}}=await this.client.send("DOM.describeNode",{objectId:this.id});await this.client.send("DOM.setF\
ileInputFiles",{objectId:this.id,files,backendNodeId})}async autofill(data){let fieldId=(await this.client.send(
"DOM.describeNode",{objectId:this.handle.id})).node.backendNodeId,frameId=this.frame._id;await this.client.send(
"Autofill.trigger",{fieldId,frameId,card:data.creditCard,address:data.address})}async*queryAXTree(name,role){let{
nodes}=await this.client.send("Accessibility.queryAXTree",{objectId:this.id,accessibleName:name,role}),results=nodes.
filter(node=>!(node.ignored||!node.role||NON_ELEMENT_NODE_ROLES.has(node.role.value)));return yield*AsyncIterableUtil.
map(results,node=>this.realm.adoptBackendNode(node.backendDOMNodeId))}async backendNodeId(){if(this.#backendNodeId)
return this.#backendNodeId;let{node}=await this.client.send("DOM.describeNode",{objectId:this.handle.id});return this.#backendNodeId=
node.backendNodeId,this.#backendNodeId}}})();var __addDisposableResource11=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources11=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),ariaQuerySelectorBinding=new Binding("__ariaQuerySelector",ARIAQueryHandler.
queryOne,""),ariaQuerySelectorAllBinding=new Binding("__ariaQuerySelectorAll",(async(element,selector)=>{let results=ARIAQueryHandler.
queryAll(element,selector);return await element.realm.evaluateHandle((...elements)=>elements,...await AsyncIterableUtil.
collect(results))}),""),ExecutionContext=class extends EventEmitter{#client;#world;#id;#name;#disposables=new DisposableStack;constructor(client,contextPayload,world){
super(),this.#client=client,this.#world=world,this.#id=contextPayload.id,contextPayload.name&&(this.#name=contextPayload.
name);let clientEmitter=this.#disposables.use(new EventEmitter(this.#client));clientEmitter.on("Runtime.bindin\
gCalled",this.#onBindingCalled.bind(this)),clientEmitter.on("Runtime.executionContextDestroyed",async event=>{
event.executionContextId===this.#id&&this[disposeSymbol]()}),clientEmitter.on("Runtime.executionContextsCleare\
d",async()=>{this[disposeSymbol]()}),clientEmitter.on("Runtime.consoleAPICalled",this.#onConsoleAPI.bind(this)),
clientEmitter.on(CDPSessionEvent.Disconnected,()=>{this[disposeSymbol]()})}#bindings=new Map;#mutex=new Mutex;async#addBinding(binding){
let env_1={stack:[],error:void 0,hasError:!1};try{if(this.#bindings.has(binding.name))return;let _2=__addDisposableResource11(
env_1,await this.#mutex.acquire(),!1);try{await this.#client.send("Runtime.addBinding",this.#name?{name:CDP_BINDING_PREFIX+
binding.name,executionContextName:this.#name}:{name:CDP_BINDING_PREFIX+binding.name,executionContextId:this.#id}),
await this.evaluate(addPageBinding,"internal",binding.name,CDP_BINDING_PREFIX),this.#bindings.set(binding.name,
binding)}catch(error){if(error instanceof Error&&(error.message.includes("Execution context was destroyed")||error.
message.includes("Cannot find context with specified id")))return;debugError(error)}}catch(e_1){env_1.error=e_1,
env_1.hasError=!0}finally{__disposeResources11(env_1)}}async#onBindingCalled(event){if(event.executionContextId!==
this.#id)return;let payload;try{payload=JSON.parse(event.payload)}catch{return}let{type,name,seq,args,isTrivial}=payload;
if(type!=="internal"){this.emit("bindingcalled",event);return}if(!this.#bindings.has(name)){this.emit("binding\
called",event);return}try{await this.#bindings.get(name)?.run(this,seq,args,isTrivial)}catch(err){debugError(err)}}get id(){
return this.#id}#onConsoleAPI(event){event.executionContextId===this.#id&&this.emit("consoleapicalled",event)}#bindingsInstalled=!1;#puppeteerUtil;get puppeteerUtil(){
let promise=Promise.resolve();return this.#bindingsInstalled||(promise=Promise.all([this.#addBindingWithoutThrowing(
ariaQuerySelectorBinding),this.#addBindingWithoutThrowing(ariaQuerySelectorAllBinding)]),this.#bindingsInstalled=
!0),scriptInjector.inject(script=>{this.#puppeteerUtil&&this.#puppeteerUtil.then(handle=>{handle.dispose()}),this.#puppeteerUtil=
promise.then(()=>this.evaluateHandle(script))},!this.#puppeteerUtil),this.#puppeteerUtil}async#addBindingWithoutThrowing(binding){
try{await this.#addBinding(binding)}catch(err){debugError(err)}}async evaluate(pageFunction,...args){return await this.#evaluate(
!0,pageFunction,...args)}async evaluateHandle(pageFunction,...args){return await this.#evaluate(!1,pageFunction,
...args)}async#evaluate(returnByValue,pageFunction,...args){let sourceUrlComment=getSourceUrlComment(getSourcePuppeteerURLIfAvailable(
pageFunction)?.toString()??PuppeteerURL.INTERNAL_URL);if(isString(pageFunction)){let contextId=this.#id,expression=pageFunction,
expressionWithSourceUrl=SOURCE_URL_REGEX.test(expression)?expression:`${expression}
${sourceUrlComment}
`,{exceptionDetails:exceptionDetails2,result:remoteObject2}=await this.#client.send("Runtime.evaluate",{expression:expressionWithSourceUrl,
contextId,returnByValue,awaitPromise:!0,userGesture:!0}).catch(rewriteError2);if(exceptionDetails2)throw createEvaluationError(
exceptionDetails2);return returnByValue?valueFromPrimitiveRemoteObject(remoteObject2):this.#world.createCdpHandle(
remoteObject2)}let functionDeclaration=stringifyFunction(pageFunction),functionDeclarationWithSourceUrl=SOURCE_URL_REGEX.
test(functionDeclaration)?functionDeclaration:`${functionDeclaration}
${sourceUrlComment}
`,callFunctionOnPromise;try{callFunctionOnPromise=this.#client.send("Runtime.callFunctionOn",{functionDeclaration:functionDeclarationWithSourceUrl,
executionContextId:this.#id,arguments:args.some(arg=>arg instanceof LazyArg)?await Promise.all(args.map(arg=>convertArgumentAsync(
this,arg))):args.map(arg=>convertArgument(this,arg)),returnByValue,awaitPromise:!0,userGesture:!0})}catch(error){
throw error instanceof TypeError&&error.message.startsWith("Converting circular structure to JSON")&&(error.message+=
" Recursive objects are not allowed."),error}let{exceptionDetails,result:remoteObject}=await callFunctionOnPromise.
catch(rewriteError2);if(exceptionDetails)throw createEvaluationError(exceptionDetails);if(returnByValue)return valueFromPrimitiveRemoteObject(
remoteObject);return this.#world.createCdpHandle(remoteObject);async function convertArgumentAsync(context2,arg){
return arg instanceof LazyArg&&(arg=await arg.get(context2)),convertArgument(context2,arg)}function convertArgument(context2,arg){
if(typeof arg=="bigint")return{unserializableValue:`${arg.toString()}n`};if(Object.is(arg,-0))return{unserializableValue:"\
-0"};if(Object.is(arg,1/0))return{unserializableValue:"Infinity"};if(Object.is(arg,-1/0))return{unserializableValue:"\
-Infinity"};if(Object.is(arg,NaN))return{unserializableValue:"NaN"};let objectHandle=arg&&(arg instanceof CdpJSHandle||
arg instanceof CdpElementHandle)?arg:null;if(objectHandle){if(objectHandle.realm!==context2.#world)throw new Error(
"JSHandles can be evaluated only in the context they were created!");if(objectHandle.disposed)throw new Error(
"JSHandle is disposed!");return objectHandle.remoteObject().unserializableValue?{unserializableValue:objectHandle.
remoteObject().unserializableValue}:objectHandle.remoteObject().objectId?{objectId:objectHandle.remoteObject().
objectId}:{value:objectHandle.remoteObject().value}}return{value:arg}}}[disposeSymbol](){this.#disposables.dispose(),
this.emit("disposed",void 0),super[disposeSymbol]()}},rewriteError2=error=>{if(error.message.includes("Object \
reference chain is too long"))return{result:{type:"undefined"}};if(error.message.includes("Object couldn't be \
returned by value"))return{result:{type:"undefined"}};throw error.message.endsWith("Cannot find context with s\
pecified id")||error.message.endsWith("Inspected target navigated or closed")?new Error("Execution context was\
 destroyed, most likely because of a navigation."):error};var FrameManagerEvent;(function(FrameManagerEvent2){FrameManagerEvent2.FrameAttached=Symbol("FrameManager.Fram\
eAttached"),FrameManagerEvent2.FrameNavigated=Symbol("FrameManager.FrameNavigated"),FrameManagerEvent2.FrameDetached=
Symbol("FrameManager.FrameDetached"),FrameManagerEvent2.FrameSwapped=Symbol("FrameManager.FrameSwapped"),FrameManagerEvent2.
LifecycleEvent=Symbol("FrameManager.LifecycleEvent"),FrameManagerEvent2.FrameNavigatedWithinDocument=Symbol("F\
rameManager.FrameNavigatedWithinDocument"),FrameManagerEvent2.ConsoleApiCalled=Symbol("FrameManager.ConsoleApi\
Called"),FrameManagerEvent2.BindingCalled=Symbol("FrameManager.BindingCalled")})(FrameManagerEvent||(FrameManagerEvent=
{}));var MAIN_WORLD=Symbol("mainWorld"),PUPPETEER_WORLD=Symbol("puppeteerWorld");var CdpWebWorker=class extends WebWorker{#world;#client;#id;#targetType;#emitter;get internalEmitter(){return this.#emitter}constructor(client,url,targetId,targetType,exceptionThrown,networkManager){
super(url),this.#id=targetId,this.#client=client,this.#targetType=targetType,this.#world=new IsolatedWorld(this,
new TimeoutSettings,MAIN_WORLD),this.#emitter=new EventEmitter,this.#client.once("Runtime.executionContextCrea\
ted",async event=>{this.#world.setContext(new ExecutionContext(client,event.context,this.#world))}),this.#world.
emitter.on("consoleapicalled",async event=>{try{let values=event.args.map(arg=>this.#world.createCdpHandle(arg)),
noInternalListeners=this.#emitter.listenerCount(WebWorkerEvent.Console)===0,noWorkerListeners=this.listenerCount(
WebWorkerEvent.Console)===0;if(noInternalListeners&&noWorkerListeners){for(let value of values)value.dispose().
catch(debugError);return}let consoleMessages=createConsoleMessage(event,values,this.#id);this.#emitter.emit(WebWorkerEvent.
Console,consoleMessages),noWorkerListeners||this.emit(WebWorkerEvent.Console,consoleMessages)}catch(err){debugError(
err)}}),this.#client.on("Runtime.exceptionThrown",exceptionThrown),this.#client.once(CDPSessionEvent.Disconnected,
()=>{this.#world.dispose()}),networkManager?.addClient(this.#client).catch(debugError),this.#client.send("Runt\
ime.enable").catch(debugError)}mainRealm(){return this.#world}get client(){return this.#client}async close(){switch(this.#targetType){case TargetType.
SERVICE_WORKER:{await this.client.connection()?.send("Target.closeTarget",{targetId:this.#id}),await this.client.
connection()?.send("Target.detachFromTarget",{sessionId:this.client.id()});break}case TargetType.SHARED_WORKER:{
await this.client.connection()?.send("Target.closeTarget",{targetId:this.#id});break}default:await this.evaluate(
()=>{self.close()})}}};var IsolatedWorld=class extends Realm{#context;#emitter=new EventEmitter;#worldId;#origin;#frameOrWorker;constructor(frameOrWorker,timeoutSettings,worldId){
super(timeoutSettings),this.#frameOrWorker=frameOrWorker,this.#worldId=worldId}get environment(){return this.#frameOrWorker}get client(){
return this.#frameOrWorker.client}get emitter(){return this.#emitter}setContext(context2){this.#context?.[disposeSymbol](),
context2.once("disposed",this.#onContextDisposed.bind(this)),context2.on("consoleapicalled",this.#onContextConsoleApiCalled.
bind(this)),context2.on("bindingcalled",this.#onContextBindingCalled.bind(this)),this.#context=context2,this.#emitter.
emit("context",context2),this.taskManager.rerunAll()}#onContextDisposed(){this.#context=void 0,"clearDocumentH\
andle"in this.#frameOrWorker&&this.#frameOrWorker.clearDocumentHandle()}#onContextConsoleApiCalled(event){this.#emitter.
emit("consoleapicalled",event)}#onContextBindingCalled(event){this.#emitter.emit("bindingcalled",event)}hasContext(){
return!!this.#context}get context(){return this.#context}#executionContext(){if(this.disposed)throw new Error(
`Execution context is not available in detached frame or worker "${this.environment.url()}" (are you trying to\
 evaluate?)`);return this.#context}async#waitForExecutionContext(){let error=new Error("Execution context was \
destroyed");return await firstValueFrom(fromEmitterEvent(this.#emitter,"context").pipe(raceWith(fromEmitterEvent(
this.#emitter,"disposed").pipe(map(()=>{throw error})),timeout(this.timeoutSettings.timeout()))))}async evaluateHandle(pageFunction,...args){
pageFunction=withSourcePuppeteerURLIfNone(this.evaluateHandle.name,pageFunction);let context2=this.#executionContext();
return context2||(context2=await this.#waitForExecutionContext()),await context2.evaluateHandle(pageFunction,...args)}async evaluate(pageFunction,...args){
pageFunction=withSourcePuppeteerURLIfNone(this.evaluate.name,pageFunction);let context2=this.#executionContext();
return context2||(context2=await this.#waitForExecutionContext()),await context2.evaluate(pageFunction,...args)}async adoptBackendNode(backendNodeId){
let context2=this.#executionContext();context2||(context2=await this.#waitForExecutionContext());let{object}=await this.
client.send("DOM.resolveNode",{backendNodeId,executionContextId:context2.id});return this.createCdpHandle(object)}async adoptHandle(handle){
if(handle.realm===this)return await handle.evaluateHandle(value=>value);let nodeInfo=await this.client.send("D\
OM.describeNode",{objectId:handle.id});return await this.adoptBackendNode(nodeInfo.node.backendNodeId)}async transferHandle(handle){
if(handle.realm===this||handle.remoteObject().objectId===void 0)return handle;let info=await this.client.send(
"DOM.describeNode",{objectId:handle.remoteObject().objectId}),newHandle=await this.adoptBackendNode(info.node.
backendNodeId);return await handle.dispose(),newHandle}createCdpHandle(remoteObject){return remoteObject.subtype===
"node"?new CdpElementHandle(this,remoteObject):new CdpJSHandle(this,remoteObject)}[disposeSymbol](){this.#context?.[disposeSymbol](),
this.#emitter.emit("disposed",void 0),this.#emitter.removeAllListeners(),super[disposeSymbol]()}get origin(){return this.#origin}set origin(origin){
this.#origin=origin}setWorldId(worldId){this.#worldId=worldId}async extension(){if(this.#frameOrWorker instanceof
CdpWebWorker)throw new Error("Unable to get extension from Realm");return this.#worldId===MAIN_WORLD?null:typeof this.#worldId==
"string"?(await this.#frameOrWorker._frameManager.page().browser().extensions()).get(this.#worldId)??null:null}};var puppeteerToProtocolLifecycle=new Map([["load","load"],["domcontentloaded","DOMContentLoaded"],["networkidl\
e0","networkIdle"],["networkidle2","networkAlmostIdle"]]),LifecycleWatcher=class{#expectedLifecycle;#frame;#timeout;#navigationRequest=null;#subscriptions=new DisposableStack;#initialLoaderId;#terminationDeferred;#sameDocumentNavigationDeferred=Deferred.
create();#lifecycleDeferred=Deferred.create();#newDocumentNavigationDeferred=Deferred.create();#error=new Error(
"LifecycleWatcher terminated");#hasSameDocumentNavigation;#swapped;#navigationResponseReceived;constructor(networkManager,frame,waitUntil,timeout2,signal){
Array.isArray(waitUntil)?waitUntil=waitUntil.slice():typeof waitUntil=="string"&&(waitUntil=[waitUntil]),this.#initialLoaderId=
frame._loaderId,this.#expectedLifecycle=waitUntil.map(value=>{let protocolEvent=puppeteerToProtocolLifecycle.get(
value);return assert(protocolEvent,"Unknown value for options.waitUntil: "+value),protocolEvent}),signal?.addEventListener(
"abort",()=>{signal.reason instanceof Error&&(signal.reason.cause=this.#error),this.#terminationDeferred.reject(
signal.reason)}),this.#frame=frame,this.#timeout=timeout2,this.#subscriptions.use(new EventEmitter(frame._frameManager)).
on(FrameManagerEvent.LifecycleEvent,this.#checkLifecycleComplete.bind(this));let frameEmitter=this.#subscriptions.
use(new EventEmitter(frame));frameEmitter.on(FrameEvent.FrameNavigatedWithinDocument,this.#navigatedWithinDocument.
bind(this)),frameEmitter.on(FrameEvent.FrameNavigated,this.#navigated.bind(this)),frameEmitter.on(FrameEvent.FrameSwapped,
this.#frameSwapped.bind(this)),frameEmitter.on(FrameEvent.FrameSwappedByActivation,this.#frameSwapped.bind(this)),
frameEmitter.on(FrameEvent.FrameDetached,this.#onFrameDetached.bind(this));let networkManagerEmitter=this.#subscriptions.
use(new EventEmitter(networkManager));networkManagerEmitter.on(NetworkManagerEvent.Request,this.#onRequest.bind(
this)),networkManagerEmitter.on(NetworkManagerEvent.Response,this.#onResponse.bind(this)),networkManagerEmitter.
on(NetworkManagerEvent.RequestFailed,this.#onRequestFailed.bind(this)),this.#terminationDeferred=Deferred.create(
{timeout:this.#timeout,message:`Navigation timeout of ${this.#timeout} ms exceeded`}),this.#checkLifecycleComplete()}#onRequest(request){
request.frame()!==this.#frame||!request.isNavigationRequest()||(this.#navigationRequest=request,this.#navigationResponseReceived?.
resolve(),this.#navigationResponseReceived=Deferred.create(),request.response()!==null&&this.#navigationResponseReceived?.
resolve())}#onRequestFailed(request){this.#navigationRequest?.id===request.id&&this.#navigationResponseReceived?.
resolve()}#onResponse(response){this.#navigationRequest?.id===response.request().id&&this.#navigationResponseReceived?.
resolve()}#onFrameDetached(frame){if(this.#frame===frame){this.#error.message="Navigating frame was detached",
this.#terminationDeferred.resolve(this.#error);return}this.#checkLifecycleComplete()}async navigationResponse(){
return await this.#navigationResponseReceived?.valueOrThrow(),this.#navigationRequest?this.#navigationRequest.
response():null}sameDocumentNavigationPromise(){return this.#sameDocumentNavigationDeferred.valueOrThrow()}newDocumentNavigationPromise(){
return this.#newDocumentNavigationDeferred.valueOrThrow()}lifecyclePromise(){return this.#lifecycleDeferred.valueOrThrow()}terminationPromise(){
return this.#terminationDeferred.valueOrThrow()}#navigatedWithinDocument(){this.#hasSameDocumentNavigation=!0,
this.#checkLifecycleComplete()}#navigated(navigationType){if(navigationType==="BackForwardCacheRestore")return this.#frameSwapped();
this.#checkLifecycleComplete()}#frameSwapped(){this.#swapped=!0,this.#checkLifecycleComplete()}#checkLifecycleComplete(){
if(!checkLifecycle(this.#frame,this.#expectedLifecycle))return;this.#lifecycleDeferred.resolve(),this.#hasSameDocumentNavigation&&
this.#sameDocumentNavigationDeferred.resolve(void 0),(this.#swapped||this.#frame._loaderId!==this.#initialLoaderId)&&
this.#newDocumentNavigationDeferred.resolve(void 0);function checkLifecycle(frame,expectedLifecycle){for(let event of expectedLifecycle)
if(!frame._lifecycleEvents.has(event))return!1;for(let child of frame.childFrames())if(child._hasStartedLoading&&
!checkLifecycle(child,expectedLifecycle))return!1;return!0}}dispose(){this.#subscriptions.dispose(),this.#error.
cause=new Error("LifecycleWatcher disposed"),this.#terminationDeferred.resolve(this.#error)}};var __runInitializers7=function(thisArg,initializers,value){for(var useValue=arguments.length>2,i=0;i<initializers.
length;i++)value=useValue?initializers[i].call(thisArg,value):initializers[i].call(thisArg);return useValue?value:
void 0},__esDecorate7=function(ctor,descriptorIn,decorators,contextIn,initializers,extraInitializers){function accept(f){
if(f!==void 0&&typeof f!="function")throw new TypeError("Function expected");return f}for(var kind=contextIn.kind,
key=kind==="getter"?"get":kind==="setter"?"set":"value",target=!descriptorIn&&ctor?contextIn.static?ctor:ctor.
prototype:null,descriptor=descriptorIn||(target?Object.getOwnPropertyDescriptor(target,contextIn.name):{}),_2,
done=!1,i=decorators.length-1;i>=0;i--){var context2={};for(var p in contextIn)context2[p]=p==="access"?{}:contextIn[p];
for(var p in contextIn.access)context2.access[p]=contextIn.access[p];context2.addInitializer=function(f){if(done)
throw new TypeError("Cannot add initializers after decoration has completed");extraInitializers.push(accept(f||
null))};var result=(0,decorators[i])(kind==="accessor"?{get:descriptor.get,set:descriptor.set}:descriptor[key],
context2);if(kind==="accessor"){if(result===void 0)continue;if(result===null||typeof result!="object")throw new TypeError(
"Object expected");(_2=accept(result.get))&&(descriptor.get=_2),(_2=accept(result.set))&&(descriptor.set=_2),(_2=
accept(result.init))&&initializers.unshift(_2)}else(_2=accept(result))&&(kind==="field"?initializers.unshift(_2):
descriptor[key]=_2)}target&&Object.defineProperty(target,contextIn.name,descriptor),done=!0},CdpFrame=(()=>{let _classSuper=Frame,
_instanceExtraInitializers=[],_goto_decorators,_waitForNavigation_decorators,_setContent_decorators,_addPreloadScript_decorators,
_addExposedFunctionBinding_decorators,_removeExposedFunctionBinding_decorators,_waitForDevicePrompt_decorators;
return class extends _classSuper{static{let _metadata=typeof Symbol=="function"&&Symbol.metadata?Object.create(
_classSuper[Symbol.metadata]??null):void 0;__esDecorate7(this,null,_goto_decorators,{kind:"method",name:"goto",
static:!1,private:!1,access:{has:obj=>"goto"in obj,get:obj=>obj.goto},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate7(this,null,_waitForNavigation_decorators,{kind:"method",name:"waitForNavigation",static:!1,private:!1,
access:{has:obj=>"waitForNavigation"in obj,get:obj=>obj.waitForNavigation},metadata:_metadata},null,_instanceExtraInitializers),
__esDecorate7(this,null,_setContent_decorators,{kind:"method",name:"setContent",static:!1,private:!1,access:{has:obj=>"\
setContent"in obj,get:obj=>obj.setContent},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate7(
this,null,_addPreloadScript_decorators,{kind:"method",name:"addPreloadScript",static:!1,private:!1,access:{has:obj=>"\
addPreloadScript"in obj,get:obj=>obj.addPreloadScript},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate7(
this,null,_addExposedFunctionBinding_decorators,{kind:"method",name:"addExposedFunctionBinding",static:!1,private:!1,
access:{has:obj=>"addExposedFunctionBinding"in obj,get:obj=>obj.addExposedFunctionBinding},metadata:_metadata},
null,_instanceExtraInitializers),__esDecorate7(this,null,_removeExposedFunctionBinding_decorators,{kind:"metho\
d",name:"removeExposedFunctionBinding",static:!1,private:!1,access:{has:obj=>"removeExposedFunctionBinding"in obj,
get:obj=>obj.removeExposedFunctionBinding},metadata:_metadata},null,_instanceExtraInitializers),__esDecorate7(
this,null,_waitForDevicePrompt_decorators,{kind:"method",name:"waitForDevicePrompt",static:!1,private:!1,access:{
has:obj=>"waitForDevicePrompt"in obj,get:obj=>obj.waitForDevicePrompt},metadata:_metadata},null,_instanceExtraInitializers),
_metadata&&Object.defineProperty(this,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:_metadata})}#url=(__runInitializers7(
this,_instanceExtraInitializers),"");#detached=!1;#client;_frameManager;_loaderId="";_lifecycleEvents=new Set;_id;_parentId;accessibility;worlds;extensionWorlds={};constructor(frameManager,frameId,parentFrameId,client){
super(),this._frameManager=frameManager,this.#url="",this._id=frameId,this._parentId=parentFrameId,this.#detached=
!1,this.#client=client,this._loaderId="",this.worlds={[MAIN_WORLD]:new IsolatedWorld(this,this._frameManager.timeoutSettings,
MAIN_WORLD),[PUPPETEER_WORLD]:new IsolatedWorld(this,this._frameManager.timeoutSettings,PUPPETEER_WORLD)},this.
accessibility=new Accessibility(this.worlds[MAIN_WORLD],frameId),this.on(FrameEvent.FrameSwappedByActivation,()=>{
this._onLoadingStarted(),this._onLoadingStopped()}),this.registerWorldListeners(this.worlds[MAIN_WORLD])}registerWorldListeners(world){
world.emitter.on("consoleapicalled",event=>{this._frameManager.emit(FrameManagerEvent.ConsoleApiCalled,[world,
event])}),world.emitter.on("bindingcalled",event=>{this._frameManager.emit(FrameManagerEvent.BindingCalled,[world,
event])})}_client(){return this.#client}updateId(id){this._id=id}updateClient(client){this.#client=client}page(){
return this._frameManager.page()}async goto(url,options={}){if(!this.page()._isUrlAllowed(url))throw new Error(
`Navigation to ${url} is blocked by blocklist/allowlist rules`);let{referer=this._frameManager.networkManager.
extraHTTPHeaders().referer,referrerPolicy=this._frameManager.networkManager.extraHTTPHeaders()["referer-policy"],
waitUntil=["load"],timeout:timeout2=this._frameManager.timeoutSettings.navigationTimeout()}=options,ensureNewDocumentNavigation=!1,
watcher=new LifecycleWatcher(this._frameManager.networkManager,this,waitUntil,timeout2),error=await Deferred.race(
[navigate(this.#client,url,referer,referrerPolicy?referrerPolicyToProtocol(referrerPolicy):void 0,this._id),watcher.
terminationPromise()]);error||(error=await Deferred.race([watcher.terminationPromise(),ensureNewDocumentNavigation?
watcher.newDocumentNavigationPromise():watcher.sameDocumentNavigationPromise()]));try{if(error)throw error;return await watcher.
navigationResponse()}finally{watcher.dispose()}async function navigate(client,url2,referrer,referrerPolicy2,frameId){
try{let response=await client.send("Page.navigate",{url:url2,referrer,frameId,referrerPolicy:referrerPolicy2});
return ensureNewDocumentNavigation=!!response.loaderId,response.errorText==="net::ERR_HTTP_RESPONSE_CODE_FAILU\
RE"?null:response.errorText?new Error(`${response.errorText} at ${url2}`):null}catch(error2){if(isErrorLike(error2))
return error2;throw error2}}}async waitForNavigation(options={}){let{waitUntil=["load"],timeout:timeout2=this.
_frameManager.timeoutSettings.navigationTimeout(),signal}=options,watcher=new LifecycleWatcher(this._frameManager.
networkManager,this,waitUntil,timeout2,signal),error=await Deferred.race([watcher.terminationPromise(),...options.
ignoreSameDocumentNavigation?[]:[watcher.sameDocumentNavigationPromise()],watcher.newDocumentNavigationPromise()]);
try{if(error)throw error;let result=await Deferred.race([watcher.terminationPromise(),watcher.navigationResponse()]);
if(result instanceof Error)throw error;return result||null}finally{watcher.dispose()}}get client(){return this.#client}mainRealm(){
return this.worlds[MAIN_WORLD]}isolatedRealm(){return this.worlds[PUPPETEER_WORLD]}async setContent(html,options={}){
let{waitUntil=["load"],timeout:timeout2=this._frameManager.timeoutSettings.navigationTimeout()}=options;await this.
setFrameContent(html);let watcher=new LifecycleWatcher(this._frameManager.networkManager,this,waitUntil,timeout2),
error=await Deferred.race([watcher.terminationPromise(),watcher.lifecyclePromise()]);if(watcher.dispose(),error)
throw error}url(){return this.#url}parentFrame(){return this._frameManager._frameTree.parentFrame(this._id)||null}childFrames(){
return this._frameManager._frameTree.childFrames(this._id)}#deviceRequestPromptManager(){return this._frameManager.
_deviceRequestPromptManager(this.#client)}async addPreloadScript(preloadScript){let parentFrame=this.parentFrame();
if(parentFrame&&this.#client===parentFrame.client||preloadScript.getIdForFrame(this))return;let{identifier}=await this.#client.
send("Page.addScriptToEvaluateOnNewDocument",{source:preloadScript.source});preloadScript.setIdForFrame(this,identifier)}async addExposedFunctionBinding(binding){
this!==this._frameManager.mainFrame()&&!this._hasStartedLoading||await Promise.all([this.#client.send("Runtime\
.addBinding",{name:CDP_BINDING_PREFIX+binding.name}),this.evaluate(binding.initSource).catch(debugError)])}async removeExposedFunctionBinding(binding){
this!==this._frameManager.mainFrame()&&!this._hasStartedLoading||await Promise.all([this.#client.send("Runtime\
.removeBinding",{name:CDP_BINDING_PREFIX+binding.name}),this.evaluate(name=>{globalThis[name]=void 0},binding.
name).catch(debugError)])}async waitForDevicePrompt(options={}){return await this.#deviceRequestPromptManager().
waitForDevicePrompt(options)}_navigated(framePayload){this._name=framePayload.name,this.#url=`${framePayload.url}${framePayload.
urlFragment||""}`}_navigatedWithinDocument(url){this.#url=url}_onLifecycleEvent(loaderId,name){name==="init"&&
(this._loaderId=loaderId,this._lifecycleEvents.clear()),this._lifecycleEvents.add(name)}_onLoadingStopped(){this.
_lifecycleEvents.add("DOMContentLoaded"),this._lifecycleEvents.add("load")}_onLoadingStarted(){this._hasStartedLoading=
!0}get detached(){return this.#detached}[(_goto_decorators=[throwIfDetached],_waitForNavigation_decorators=[throwIfDetached],
_setContent_decorators=[throwIfDetached],_addPreloadScript_decorators=[throwIfDetached],_addExposedFunctionBinding_decorators=
[throwIfDetached],_removeExposedFunctionBinding_decorators=[throwIfDetached],_waitForDevicePrompt_decorators=[
throwIfDetached],disposeSymbol)](){if(!this.#detached){this.#detached=!0,this.worlds[MAIN_WORLD][disposeSymbol](),
this.worlds[PUPPETEER_WORLD][disposeSymbol]();for(let extensionWorld of Object.values(this.extensionWorlds))extensionWorld[disposeSymbol]();
super[disposeSymbol]()}}exposeFunction(){throw new UnsupportedOperation}async frameElement(){let parent=this.parentFrame();
if(!parent)return null;let{backendNodeId}=await parent.client.send("DOM.getFrameOwner",{frameId:this._id});return await parent.
mainRealm().adoptBackendNode(backendNodeId)}extensionRealms(){return Object.values(this.extensionWorlds)}}})();function referrerPolicyToProtocol(referrerPolicy){return referrerPolicy.replaceAll(/-./g,match=>match[1].toUpperCase())}var FrameTree=class{#frames=new Map;#parentIds=new Map;#childIds=new Map;#mainFrame;#isMainFrameStale=!1;#waitRequests=new Map;getMainFrame(){
return this.#mainFrame}getById(frameId){return this.#frames.get(frameId)}waitForFrame(frameId){let frame=this.
getById(frameId);if(frame)return Promise.resolve(frame);let deferred=Deferred.create();return(this.#waitRequests.
get(frameId)||new Set).add(deferred),deferred.valueOrThrow()}frames(){return Array.from(this.#frames.values())}addFrame(frame){
this.#frames.set(frame._id,frame),frame._parentId?(this.#parentIds.set(frame._id,frame._parentId),this.#childIds.
has(frame._parentId)||this.#childIds.set(frame._parentId,new Set),this.#childIds.get(frame._parentId).add(frame.
_id)):(!this.#mainFrame||this.#isMainFrameStale)&&(this.#mainFrame=frame,this.#isMainFrameStale=!1),this.#waitRequests.
get(frame._id)?.forEach(request=>request.resolve(frame))}removeFrame(frame){this.#frames.delete(frame._id),this.#parentIds.
delete(frame._id),frame._parentId?this.#childIds.get(frame._parentId)?.delete(frame._id):this.#isMainFrameStale=
!0}childFrames(frameId){let childIds=this.#childIds.get(frameId);return childIds?Array.from(childIds).map(id=>this.
getById(id)).filter(frame=>frame!==void 0):[]}parentFrame(frameId){let parentId=this.#parentIds.get(frameId);return parentId?
this.getById(parentId):void 0}};var CdpHTTPRequest=class extends HTTPRequest{id;#client;#isNavigationRequest;#url;#resourceType;#method;#hasPostData=!1;#postData;#headers={};#frame;#initiator;get client(){
return this.#client}set client(newClient){this.#client=newClient}constructor(client,frame,interceptionId,allowInterception,data,redirectChain){
super(),this.#client=client,this.id=data.requestId,this.#isNavigationRequest=data.requestId===data.loaderId&&data.
type==="Document",this._interceptionId=interceptionId,this.#url=data.request.url+(data.request.urlFragment??""),
this.#resourceType=(data.type||"other").toLowerCase(),this.#method=data.request.method,data.request.postDataEntries&&
data.request.postDataEntries.length>0?this.#postData=new TextDecoder().decode(mergeUint8Arrays(data.request.postDataEntries.
map(entry=>entry.bytes?stringToTypedArray(entry.bytes,!0):null).filter(entry=>entry!==null))):this.#postData=data.
request.postData,this.#hasPostData=data.request.hasPostData??!1,this.#frame=frame,this._redirectChain=redirectChain,
this.#initiator=data.initiator,this.interception.enabled=allowInterception,this.updateHeaders(data.request.headers)}updateHeaders(headers){
for(let[key,value]of Object.entries(headers))this.#headers[key.toLowerCase()]=value}url(){return this.#url}resourceType(){
return this.#resourceType}method(){return this.#method}postData(){return this.#postData}hasPostData(){return this.#hasPostData}async fetchPostData(){
try{return(await this.#client.send("Network.getRequestPostData",{requestId:this.id})).postData}catch(err){debugError(
err);return}}headers(){return structuredClone(this.#headers)}response(){return this._response}frame(){return this.#frame}isNavigationRequest(){
return this.#isNavigationRequest}initiator(){return this.#initiator}redirectChain(){return this._redirectChain.
slice()}failure(){return this._failureText?{errorText:this._failureText}:null}canBeIntercepted(){return!this.url().
startsWith("data:")&&!this._fromMemoryCache}async _continue(overrides={}){let{url,method,postData,headers}=overrides;
this.interception.handled=!0;let postDataBinaryBase64=postData?stringToBase64(postData):void 0;if(this._interceptionId===
void 0)throw new Error("HTTPRequest is missing _interceptionId needed for Fetch.continueRequest");await this.#client.
send("Fetch.continueRequest",{requestId:this._interceptionId,url,method,postData:postDataBinaryBase64,headers:headers?
headersArray(headers):void 0}).catch(error=>(this.interception.handled=!1,handleError(error)))}async _respond(response){
this.interception.handled=!0;let parsedBody;response.body&&(parsedBody=HTTPRequest.getResponse(response.body));
let responseHeaders={};if(response.headers)for(let header of Object.keys(response.headers)){let value=response.
headers[header];responseHeaders[header.toLowerCase()]=Array.isArray(value)?value.map(item=>String(item)):String(
value)}response.contentType&&(responseHeaders["content-type"]=response.contentType),parsedBody?.contentLength&&
!("content-length"in responseHeaders)&&(responseHeaders["content-length"]=String(parsedBody.contentLength));let status=response.
status||200;if(this._interceptionId===void 0)throw new Error("HTTPRequest is missing _interceptionId needed fo\
r Fetch.fulfillRequest");await this.#client.send("Fetch.fulfillRequest",{requestId:this._interceptionId,responseCode:status,
responsePhrase:STATUS_TEXTS[status],responseHeaders:headersArray(responseHeaders),body:parsedBody?.base64}).catch(
error=>(this.interception.handled=!1,handleError(error)))}async _abort(errorReason){if(this.interception.handled=
!0,this._interceptionId===void 0)throw new Error("HTTPRequest is missing _interceptionId needed for Fetch.fail\
Request");await this.#client.send("Fetch.failRequest",{requestId:this._interceptionId,errorReason:errorReason||
"Failed"}).catch(handleError)}};var SecurityDetails=class{#subjectName;#issuer;#validFrom;#validTo;#protocol;#sanList;constructor(securityPayload){
this.#subjectName=securityPayload.subjectName,this.#issuer=securityPayload.issuer,this.#validFrom=securityPayload.
validFrom,this.#validTo=securityPayload.validTo,this.#protocol=securityPayload.protocol,this.#sanList=securityPayload.
sanList}issuer(){return this.#issuer}validFrom(){return this.#validFrom}validTo(){return this.#validTo}protocol(){
return this.#protocol}subjectName(){return this.#subjectName}subjectAlternativeNames(){return this.#sanList}};var CdpHTTPResponse=class extends HTTPResponse{#request;#contentPromise=null;#bodyLoadedDeferred=Deferred.create();#remoteAddress;#status;#statusText;#fromDiskCache;#fromServiceWorker;#headers={};#securityDetails;#timing;constructor(request,responsePayload,extraInfo){
super(),this.#request=request,this.#remoteAddress={ip:responsePayload.remoteIPAddress,port:responsePayload.remotePort},
this.#statusText=this.#parseStatusTextFromExtraInfo(extraInfo)||responsePayload.statusText,this.#fromDiskCache=
!!responsePayload.fromDiskCache,this.#fromServiceWorker=!!responsePayload.fromServiceWorker,this.#status=extraInfo?
extraInfo.statusCode:responsePayload.status;let headers=extraInfo?extraInfo.headers:responsePayload.headers;for(let[
key,value]of Object.entries(headers))this.#headers[key.toLowerCase()]=value;this.#securityDetails=responsePayload.
securityDetails?new SecurityDetails(responsePayload.securityDetails):null,this.#timing=responsePayload.timing||
null}#parseStatusTextFromExtraInfo(extraInfo){if(!extraInfo||!extraInfo.headersText)return;let firstLine=extraInfo.
headersText.split("\r",1)[0];if(!firstLine||firstLine.length>1e3)return;let match=firstLine.match(/[^ ]* [^ ]* (.*)/);
if(!match)return;let statusText=match[1];if(statusText)return statusText}_resolveBody(err){return err?this.#bodyLoadedDeferred.
reject(err):this.#bodyLoadedDeferred.resolve()}remoteAddress(){return this.#remoteAddress}url(){return this.#request.
url()}status(){return this.#status}statusText(){return this.#statusText}headers(){return this.#headers}securityDetails(){
return this.#securityDetails}timing(){return this.#timing}content(){return this.#contentPromise||(this.#contentPromise=
this.#bodyLoadedDeferred.valueOrThrow().then(async()=>{try{let response=await this.#request.client.send("Netwo\
rk.getResponseBody",{requestId:this.#request.id});return stringToTypedArray(response.body,response.base64Encoded)}catch(error){
throw error instanceof ProtocolError&&error.originalMessage==="No resource with given identifier found"?new ProtocolError(
"Could not load response body for this request. This might happen if the request is a preflight request."):error}})),
this.#contentPromise}request(){return this.#request}fromCache(){return this.#fromDiskCache||this.#request._fromMemoryCache}fromServiceWorker(){
return this.#fromServiceWorker}frame(){return this.#request.frame()}};var NetworkEventManager=class{#requestWillBeSentMap=new Map;#requestPausedMap=new Map;#httpRequestsMap=new Map;#requestWillBeSentExtraInfoMap=new Map;#responseReceivedExtraInfoMap=new Map;#queuedRedirectInfoMap=new Map;#queuedEventGroupMap=new Map;forget(networkRequestId){
this.#requestWillBeSentMap.delete(networkRequestId),this.#requestPausedMap.delete(networkRequestId),this.#requestWillBeSentExtraInfoMap.
delete(networkRequestId),this.#queuedEventGroupMap.delete(networkRequestId),this.#queuedRedirectInfoMap.delete(
networkRequestId),this.#responseReceivedExtraInfoMap.delete(networkRequestId)}requestExtraInfo(networkRequestId){
return this.#requestWillBeSentExtraInfoMap.has(networkRequestId)||this.#requestWillBeSentExtraInfoMap.set(networkRequestId,
[]),this.#requestWillBeSentExtraInfoMap.get(networkRequestId)}responseExtraInfo(networkRequestId){return this.#responseReceivedExtraInfoMap.
has(networkRequestId)||this.#responseReceivedExtraInfoMap.set(networkRequestId,[]),this.#responseReceivedExtraInfoMap.
get(networkRequestId)}queuedRedirectInfo(fetchRequestId){return this.#queuedRedirectInfoMap.has(fetchRequestId)||
this.#queuedRedirectInfoMap.set(fetchRequestId,[]),this.#queuedRedirectInfoMap.get(fetchRequestId)}queueRedirectInfo(fetchRequestId,redirectInfo){
this.queuedRedirectInfo(fetchRequestId).push(redirectInfo)}takeQueuedRedirectInfo(fetchRequestId){return this.
queuedRedirectInfo(fetchRequestId).shift()}inFlightRequestsCount(){let inFlightRequestCounter=0;for(let request of this.#httpRequestsMap.
values())request.response()||inFlightRequestCounter++;return inFlightRequestCounter}storeRequestWillBeSent(networkRequestId,event){
this.#requestWillBeSentMap.set(networkRequestId,event)}getRequestWillBeSent(networkRequestId){return this.#requestWillBeSentMap.
get(networkRequestId)}forgetRequestWillBeSent(networkRequestId){this.#requestWillBeSentMap.delete(networkRequestId)}getRequestPaused(networkRequestId){
return this.#requestPausedMap.get(networkRequestId)}forgetRequestPaused(networkRequestId){this.#requestPausedMap.
delete(networkRequestId)}storeRequestPaused(networkRequestId,event){this.#requestPausedMap.set(networkRequestId,
event)}getRequest(networkRequestId){return this.#httpRequestsMap.get(networkRequestId)}storeRequest(networkRequestId,request){
this.#httpRequestsMap.set(networkRequestId,request)}forgetRequest(networkRequestId){this.#httpRequestsMap.delete(
networkRequestId)}getQueuedEventGroup(networkRequestId){return this.#queuedEventGroupMap.get(networkRequestId)}queueEventGroup(networkRequestId,event){
this.#queuedEventGroupMap.set(networkRequestId,event)}forgetQueuedEventGroup(networkRequestId){this.#queuedEventGroupMap.
delete(networkRequestId)}printState(){function replacer(_key,value){return value instanceof Map?{dataType:"Map",
value:Array.from(value.entries())}:value instanceof CdpHTTPRequest?{dataType:"CdpHTTPRequest",value:`${value.id}\
: ${value.url()}`}:value}console.log("httpRequestsMap",JSON.stringify(this.#httpRequestsMap,replacer,2)),console.
log("requestWillBeSentMap",JSON.stringify(this.#requestWillBeSentMap,replacer,2)),console.log("requestWillBeSe\
ntMap",JSON.stringify(this.#responseReceivedExtraInfoMap,replacer,2)),console.log("requestWillBeSentMap",JSON.
stringify(this.#requestPausedMap,replacer,2))}};var NetworkManager=class extends EventEmitter{#frameManager;#networkEventManager=new NetworkEventManager;#extraHTTPHeaders;#credentials=null;#attemptedAuthentications=new Set;#userRequestInterceptionEnabled=!1;#protocolRequestInterceptionEnabled;#userCacheDisabled;#emulatedNetworkConditions;#userAgent;#userAgentMetadata;#platform;#handlers=[
["Fetch.requestPaused",this.#onRequestPaused],["Fetch.authRequired",this.#onAuthRequired],["Network.requestWil\
lBeSent",this.#onRequestWillBeSent],["Network.requestWillBeSentExtraInfo",this.#onRequestWillBeSentExtraInfo],
["Network.requestServedFromCache",this.#onRequestServedFromCache],["Network.responseReceived",this.#onResponseReceived],
["Network.loadingFinished",this.#onLoadingFinished],["Network.loadingFailed",this.#onLoadingFailed],["Network.\
responseReceivedExtraInfo",this.#onResponseReceivedExtraInfo],[CDPSessionEvent.Disconnected,this.#removeClient]];#clients=new Map;#networkEnabled=!0;constructor(frameManager,networkEnabled){
super(),this.#frameManager=frameManager,this.#networkEnabled=networkEnabled??!0}#canIgnoreError(error){return isErrorLike(
error)&&(isTargetClosedError(error)||error.message.includes("Not supported")||error.message.includes("wasn't f\
ound"))}async addClient(client){if(!this.#networkEnabled||this.#clients.has(client))return;let subscriptions=new DisposableStack;
this.#clients.set(client,subscriptions);let clientEmitter=subscriptions.use(new EventEmitter(client));for(let[
event,handler]of this.#handlers)clientEmitter.on(event,arg=>handler.bind(this)(client,arg));try{await Promise.
all([client.send("Network.enable"),this.#applyExtraHTTPHeaders(client),this.#applyNetworkConditions(client),this.#applyProtocolCacheDisabled(
client),this.#applyProtocolRequestInterception(client),this.#applyUserAgent(client)])}catch(error){if(this.#canIgnoreError(
error))return;throw error}}async#removeClient(client){this.#clients.get(client)?.dispose(),this.#clients.delete(
client)}async authenticate(credentials){this.#credentials=credentials;let enabled=this.#userRequestInterceptionEnabled||
!!this.#credentials;enabled!==this.#protocolRequestInterceptionEnabled&&(this.#protocolRequestInterceptionEnabled=
enabled,await this.#applyToAllClients(this.#applyProtocolRequestInterception.bind(this)))}async setExtraHTTPHeaders(headers){
let extraHTTPHeaders={};for(let[key,value]of Object.entries(headers))assert(isString(value),`Expected value of\
 header "${key}" to be String, but "${typeof value}" is found.`),extraHTTPHeaders[key.toLowerCase()]=value;this.#extraHTTPHeaders=
extraHTTPHeaders,await this.#applyToAllClients(this.#applyExtraHTTPHeaders.bind(this))}async#applyExtraHTTPHeaders(client){
if(this.#extraHTTPHeaders!==void 0)try{await client.send("Network.setExtraHTTPHeaders",{headers:this.#extraHTTPHeaders})}catch(error){
if(this.#canIgnoreError(error))return;throw error}}extraHTTPHeaders(){return Object.assign({},this.#extraHTTPHeaders)}inFlightRequestsCount(){
return this.#networkEventManager.inFlightRequestsCount()}async setOfflineMode(value){this.#emulatedNetworkConditions||
(this.#emulatedNetworkConditions={offline:!1,upload:-1,download:-1,latency:0}),this.#emulatedNetworkConditions.
offline=value,await this.#applyToAllClients(this.#applyNetworkConditions.bind(this))}async emulateNetworkConditions(networkConditions){
this.#emulatedNetworkConditions||(this.#emulatedNetworkConditions={offline:networkConditions?.offline??!1,upload:-1,
download:-1,latency:0}),this.#emulatedNetworkConditions.upload=networkConditions?networkConditions.upload:-1,this.#emulatedNetworkConditions.
download=networkConditions?networkConditions.download:-1,this.#emulatedNetworkConditions.latency=networkConditions?
networkConditions.latency:0,this.#emulatedNetworkConditions.offline=networkConditions?.offline??!1,await this.#applyToAllClients(
this.#applyNetworkConditions.bind(this))}async#applyToAllClients(fn){await Promise.all(Array.from(this.#clients.
keys()).map(client=>fn(client)))}async#applyNetworkConditions(client){if(this.#emulatedNetworkConditions!==void 0)
try{await client.send("Network.emulateNetworkConditions",{offline:this.#emulatedNetworkConditions.offline,latency:this.#emulatedNetworkConditions.
latency,uploadThroughput:this.#emulatedNetworkConditions.upload,downloadThroughput:this.#emulatedNetworkConditions.
download})}catch(error){if(this.#canIgnoreError(error))return;throw error}}async setUserAgent(userAgent,userAgentMetadata,platform){
this.#userAgent=userAgent,this.#userAgentMetadata=userAgentMetadata,this.#platform=platform,await this.#applyToAllClients(
this.#applyUserAgent.bind(this))}async#applyUserAgent(client){if(this.#userAgent!==void 0)try{await client.send(
"Network.setUserAgentOverride",{userAgent:this.#userAgent,userAgentMetadata:this.#userAgentMetadata,platform:this.#platform})}catch(error){
if(this.#canIgnoreError(error))return;throw error}}async setCacheEnabled(enabled){this.#userCacheDisabled=!enabled,
await this.#applyToAllClients(this.#applyProtocolCacheDisabled.bind(this))}async setRequestInterception(value){
this.#userRequestInterceptionEnabled=value;let enabled=this.#userRequestInterceptionEnabled||!!this.#credentials;
enabled!==this.#protocolRequestInterceptionEnabled&&(this.#protocolRequestInterceptionEnabled=enabled,await this.#applyToAllClients(
this.#applyProtocolRequestInterception.bind(this)))}async#applyProtocolRequestInterception(client){if(this.#protocolRequestInterceptionEnabled!==
void 0){this.#userCacheDisabled===void 0&&(this.#userCacheDisabled=!1);try{this.#protocolRequestInterceptionEnabled?
await Promise.all([this.#applyProtocolCacheDisabled(client),client.send("Fetch.enable",{handleAuthRequests:!0,
patterns:[{urlPattern:"*"}]})]):await Promise.all([this.#applyProtocolCacheDisabled(client),client.send("Fetch\
.disable")])}catch(error){if(this.#canIgnoreError(error))return;throw error}}}async#applyProtocolCacheDisabled(client){
if(this.#userCacheDisabled!==void 0)try{await client.send("Network.setCacheDisabled",{cacheDisabled:this.#userCacheDisabled})}catch(error){
if(this.#canIgnoreError(error))return;throw error}}#onRequestWillBeSent(client,event){if(this.#userRequestInterceptionEnabled&&
!event.request.url.startsWith("data:")){let{requestId:networkRequestId}=event;this.#networkEventManager.storeRequestWillBeSent(
networkRequestId,event);let requestPausedEvent=this.#networkEventManager.getRequestPaused(networkRequestId);if(requestPausedEvent){
let{requestId:fetchRequestId}=requestPausedEvent;this.#patchRequestEventHeaders(event,requestPausedEvent),this.#onRequest(
client,event,fetchRequestId),this.#networkEventManager.forgetRequestPaused(networkRequestId)}return}this.#onRequest(
client,event,void 0)}#onAuthRequired(client,event){let response="Default";this.#attemptedAuthentications.has(event.
requestId)?response="CancelAuth":this.#credentials&&(response="ProvideCredentials",this.#attemptedAuthentications.
add(event.requestId));let{username,password}=this.#credentials||{username:void 0,password:void 0};client.send(
"Fetch.continueWithAuth",{requestId:event.requestId,authChallengeResponse:{response,username,password}}).catch(
debugError)}#onRequestPaused(client,event){!this.#userRequestInterceptionEnabled&&this.#protocolRequestInterceptionEnabled&&
client.send("Fetch.continueRequest",{requestId:event.requestId}).catch(debugError);let{networkId:networkRequestId,
requestId:fetchRequestId}=event;if(!networkRequestId){this.#onRequestWithoutNetworkInstrumentation(client,event);
return}let requestWillBeSentEvent=(()=>{let requestWillBeSentEvent2=this.#networkEventManager.getRequestWillBeSent(
networkRequestId);if(requestWillBeSentEvent2&&(requestWillBeSentEvent2.request.url!==event.request.url||requestWillBeSentEvent2.
request.method!==event.request.method)){this.#networkEventManager.forgetRequestWillBeSent(networkRequestId);return}
return requestWillBeSentEvent2})();requestWillBeSentEvent?(this.#patchRequestEventHeaders(requestWillBeSentEvent,
event),this.#onRequest(client,requestWillBeSentEvent,fetchRequestId)):this.#networkEventManager.storeRequestPaused(
networkRequestId,event)}#patchRequestEventHeaders(requestWillBeSentEvent,requestPausedEvent){requestWillBeSentEvent.
request.headers={...requestWillBeSentEvent.request.headers,...requestPausedEvent.request.headers}}#onRequestWithoutNetworkInstrumentation(client,event){
let frame=event.frameId?this.#frameManager.frame(event.frameId):null,request=new CdpHTTPRequest(client,frame,event.
requestId,this.#userRequestInterceptionEnabled,event,[]);this.emit(NetworkManagerEvent.Request,request),request.
finalizeInterceptions()}#onRequest(client,event,fetchRequestId,fromMemoryCache=!1){let redirectChain=[];if(event.
redirectResponse){let redirectResponseExtraInfo=null;if(event.redirectHasExtraInfo&&(redirectResponseExtraInfo=
this.#networkEventManager.responseExtraInfo(event.requestId).shift(),!redirectResponseExtraInfo)){this.#networkEventManager.
queueRedirectInfo(event.requestId,{event,fetchRequestId});return}let request2=this.#networkEventManager.getRequest(
event.requestId);if(request2){this.#handleRequestRedirect(client,request2,event.redirectResponse,redirectResponseExtraInfo),
redirectChain=request2._redirectChain;let extraInfo2=this.#networkEventManager.requestExtraInfo(event.requestId).
shift();extraInfo2&&request2.updateHeaders(extraInfo2.headers)}}let frame=event.frameId?this.#frameManager.frame(
event.frameId):null,request=new CdpHTTPRequest(client,frame,fetchRequestId,this.#userRequestInterceptionEnabled,
event,redirectChain),extraInfo=this.#networkEventManager.requestExtraInfo(event.requestId).shift();extraInfo&&
request.updateHeaders(extraInfo.headers),request._fromMemoryCache=fromMemoryCache,this.#networkEventManager.storeRequest(
event.requestId,request),this.emit(NetworkManagerEvent.Request,request),request.finalizeInterceptions()}#onRequestWillBeSentExtraInfo(_client,event){
let request=this.#networkEventManager.getRequest(event.requestId);request?request.updateHeaders(event.headers):
this.#networkEventManager.requestExtraInfo(event.requestId).push(event)}#onRequestServedFromCache(client,event){
let requestWillBeSentEvent=this.#networkEventManager.getRequestWillBeSent(event.requestId),request=this.#networkEventManager.
getRequest(event.requestId);if(request&&(request._fromMemoryCache=!0),!request&&requestWillBeSentEvent&&(this.#onRequest(
client,requestWillBeSentEvent,void 0,!0),request=this.#networkEventManager.getRequest(event.requestId)),!request){
debugError(new Error(`Request ${event.requestId} was served from cache but we could not find the corresponding\
 request object`));return}this.emit(NetworkManagerEvent.RequestServedFromCache,request)}#handleRequestRedirect(_client,request,responsePayload,extraInfo){
let response=new CdpHTTPResponse(request,responsePayload,extraInfo);request._response=response,request._redirectChain.
push(request),response._resolveBody(new Error("Response body is unavailable for redirect responses")),this.#forgetRequest(
request,!1),this.emit(NetworkManagerEvent.Response,response),this.emit(NetworkManagerEvent.RequestFinished,request)}#emitResponseEvent(_client,responseReceived,extraInfo){
let request=this.#networkEventManager.getRequest(responseReceived.requestId);if(!request)return;this.#networkEventManager.
responseExtraInfo(responseReceived.requestId).length&&debugError(new Error("Unexpected extraInfo events for re\
quest "+responseReceived.requestId)),responseReceived.response.fromDiskCache&&(extraInfo=null);let response=new CdpHTTPResponse(
request,responseReceived.response,extraInfo);request._response=response,this.emit(NetworkManagerEvent.Response,
response)}#onResponseReceived(client,event){let request=this.#networkEventManager.getRequest(event.requestId),
extraInfo=null;if(request&&!request._fromMemoryCache&&event.hasExtraInfo&&(extraInfo=this.#networkEventManager.
responseExtraInfo(event.requestId).shift(),!extraInfo)){this.#networkEventManager.queueEventGroup(event.requestId,
{responseReceivedEvent:event});return}this.#emitResponseEvent(client,event,extraInfo)}#onResponseReceivedExtraInfo(client,event){
let redirectInfo=this.#networkEventManager.takeQueuedRedirectInfo(event.requestId);if(redirectInfo){this.#networkEventManager.
responseExtraInfo(event.requestId).push(event),this.#onRequest(client,redirectInfo.event,redirectInfo.fetchRequestId);
return}let queuedEvents=this.#networkEventManager.getQueuedEventGroup(event.requestId);if(queuedEvents){this.#networkEventManager.
forgetQueuedEventGroup(event.requestId),this.#emitResponseEvent(client,queuedEvents.responseReceivedEvent,event),
queuedEvents.loadingFinishedEvent&&this.#emitLoadingFinished(client,queuedEvents.loadingFinishedEvent),queuedEvents.
loadingFailedEvent&&this.#emitLoadingFailed(client,queuedEvents.loadingFailedEvent);return}this.#networkEventManager.
responseExtraInfo(event.requestId).push(event)}#forgetRequest(request,events){let requestId=request.id,interceptionId=request.
_interceptionId;this.#networkEventManager.forgetRequest(requestId),interceptionId!==void 0&&this.#attemptedAuthentications.
delete(interceptionId),events&&this.#networkEventManager.forget(requestId)}#onLoadingFinished(client,event){let queuedEvents=this.#networkEventManager.
getQueuedEventGroup(event.requestId);queuedEvents?queuedEvents.loadingFinishedEvent=event:this.#emitLoadingFinished(
client,event)}#emitLoadingFinished(client,event){let request=this.#networkEventManager.getRequest(event.requestId);
request&&(this.#adoptCdpSessionIfNeeded(client,request),request.response()&&request.response()?._resolveBody(),
this.#forgetRequest(request,!0),this.emit(NetworkManagerEvent.RequestFinished,request))}#onLoadingFailed(client,event){
let queuedEvents=this.#networkEventManager.getQueuedEventGroup(event.requestId);queuedEvents?queuedEvents.loadingFailedEvent=
event:this.#emitLoadingFailed(client,event)}#emitLoadingFailed(client,event){let request=this.#networkEventManager.
getRequest(event.requestId);if(!request)return;this.#adoptCdpSessionIfNeeded(client,request),request._failureText=
event.errorText;let response=request.response();response&&response._resolveBody(),this.#forgetRequest(request,
!0),this.emit(NetworkManagerEvent.RequestFailed,request)}#adoptCdpSessionIfNeeded(client,request){client!==request.
client&&(request.client=client)}};var TIME_FOR_WAITING_FOR_SWAP=100,CHROME_EXTENSION_PREFIX="chrome-extension://",FrameManager=class extends EventEmitter{#page;#networkManager;#timeoutSettings;#isolatedWorlds=new Set;#client;#scriptsToEvaluateOnNewDocument=new Map;#bindings=new Set;_frameTree=new FrameTree;#frameNavigatedReceived=new Set;#deviceRequestPromptManagerMap=new WeakMap;#frameTreeHandled;get timeoutSettings(){
return this.#timeoutSettings}get networkManager(){return this.#networkManager}get client(){return this.#client}constructor(client,page,timeoutSettings){
super(),this.#client=client,this.#page=page,this.#networkManager=new NetworkManager(this,page.browser().isNetworkEnabled()),
this.#timeoutSettings=timeoutSettings,this.setupEventListeners(this.#client),client.once(CDPSessionEvent.Disconnected,
()=>{this.#onClientDisconnect().catch(debugError)})}async#onClientDisconnect(){let mainFrame=this._frameTree.getMainFrame();
if(!mainFrame)return;if(!this.#page.browser().connected){this.#removeFramesRecursively(mainFrame);return}for(let child of mainFrame.
childFrames())this.#removeFramesRecursively(child);let swapped=Deferred.create({timeout:TIME_FOR_WAITING_FOR_SWAP,
message:"Frame was not swapped"});mainFrame.once(FrameEvent.FrameSwappedByActivation,()=>{swapped.resolve()});
try{await swapped.valueOrThrow()}catch{this.#removeFramesRecursively(mainFrame)}}async swapFrameTree(client){this.#client=
client;let frame=this._frameTree.getMainFrame();frame&&(this.#frameNavigatedReceived.add(this.#client.target().
_targetId),this._frameTree.removeFrame(frame),frame.updateId(this.#client.target()._targetId),this._frameTree.
addFrame(frame),frame.updateClient(client)),this.setupEventListeners(client),client.once(CDPSessionEvent.Disconnected,
()=>{this.#onClientDisconnect().catch(debugError)}),await this.initialize(client,frame),await this.#networkManager.
addClient(client),frame&&frame.emit(FrameEvent.FrameSwappedByActivation,void 0)}async registerSpeculativeSession(client){
await this.#networkManager.addClient(client)}setupEventListeners(session){session.on("Page.frameAttached",async event=>{
await this.#frameTreeHandled?.valueOrThrow(),this.#onFrameAttached(session,event.frameId,event.parentFrameId)}),
session.on("Page.frameNavigated",async event=>{this.#frameNavigatedReceived.add(event.frame.id),await this.#frameTreeHandled?.
valueOrThrow(),this.#onFrameNavigated(event.frame,event.type)}),session.on("Page.navigatedWithinDocument",async event=>{
await this.#frameTreeHandled?.valueOrThrow(),this.#onFrameNavigatedWithinDocument(event.frameId,event.url)}),session.
on("Page.frameDetached",async event=>{await this.#frameTreeHandled?.valueOrThrow(),this.#onFrameDetached(event.
frameId,event.reason)}),session.on("Page.frameStartedLoading",async event=>{await this.#frameTreeHandled?.valueOrThrow(),
this.#onFrameStartedLoading(event.frameId)}),session.on("Page.frameStoppedLoading",async event=>{await this.#frameTreeHandled?.
valueOrThrow(),this.#onFrameStoppedLoading(event.frameId)}),session.on("Runtime.executionContextCreated",async event=>{
await this.#frameTreeHandled?.valueOrThrow(),this.#onExecutionContextCreated(event.context,session)}),session.
on("Page.lifecycleEvent",async event=>{await this.#frameTreeHandled?.valueOrThrow(),this.#onLifecycleEvent(event)}),
session.on("Audits.issueAdded",event=>{this.#page.emit("issue",new CdpIssue(event.issue))})}async initialize(client,frame){
try{this.#frameTreeHandled?.resolve(),this.#frameTreeHandled=Deferred.create(),await Promise.all([this.#networkManager.
addClient(client),client.send("Page.enable"),client.send("Page.getFrameTree").then(({frameTree})=>{this.#handleFrameTree(
client,frameTree),this.#frameTreeHandled?.resolve()}),client.send("Page.setLifecycleEventsEnabled",{enabled:!0}),
client.send("Runtime.enable").then(()=>this.#createIsolatedWorld(client,UTILITY_WORLD_NAME)),...(frame?Array.from(
this.#scriptsToEvaluateOnNewDocument.values()):[]).map(script=>frame?.addPreloadScript(script)),...(frame?Array.
from(this.#bindings.values()):[]).map(binding=>frame?.addExposedFunctionBinding(binding)),this.#page.browser().
isIssuesEnabled()&&client.send("Audits.enable")])}catch(error){if(this.#frameTreeHandled?.resolve(),isErrorLike(
error)&&isTargetClosedError(error))return;throw error}}page(){return this.#page}mainFrame(){let mainFrame=this.
_frameTree.getMainFrame();return assert(mainFrame,"Requesting main frame too early!"),mainFrame}frames(){return Array.
from(this._frameTree.frames())}frame(frameId){return this._frameTree.getById(frameId)||null}async addExposedFunctionBinding(binding){
this.#bindings.add(binding),await Promise.all(this.frames().map(async frame=>await frame.addExposedFunctionBinding(
binding)))}async removeExposedFunctionBinding(binding){this.#bindings.delete(binding),await Promise.all(this.frames().
map(async frame=>await frame.removeExposedFunctionBinding(binding)))}async evaluateOnNewDocument(source2){let{
identifier}=await this.mainFrame()._client().send("Page.addScriptToEvaluateOnNewDocument",{source:source2}),preloadScript=new CdpPreloadScript(
this.mainFrame(),identifier,source2);return this.#scriptsToEvaluateOnNewDocument.set(identifier,preloadScript),
await Promise.all(this.frames().map(async frame=>await frame.addPreloadScript(preloadScript))),{identifier}}async removeScriptToEvaluateOnNewDocument(identifier){
let preloadScript=this.#scriptsToEvaluateOnNewDocument.get(identifier);if(!preloadScript)throw new Error(`Scri\
pt to evaluate on new document with id ${identifier} not found`);this.#scriptsToEvaluateOnNewDocument.delete(identifier),
await Promise.all(this.frames().map(frame=>{let identifier2=preloadScript.getIdForFrame(frame);if(identifier2)
return frame._client().send("Page.removeScriptToEvaluateOnNewDocument",{identifier:identifier2}).catch(debugError)}))}onAttachedToTarget(target){
if(target._getTargetInfo().type!=="iframe")return;let frame=this.frame(target._getTargetInfo().targetId);frame&&
frame.updateClient(target._session()),this.setupEventListeners(target._session()),this.initialize(target._session(),
frame).catch(debugError)}_deviceRequestPromptManager(client){let manager=this.#deviceRequestPromptManagerMap.get(
client);return manager===void 0&&(manager=new CdpDeviceRequestPromptManager(client,this.#timeoutSettings),this.#deviceRequestPromptManagerMap.
set(client,manager)),manager}#onLifecycleEvent(event){let frame=this.frame(event.frameId);frame&&(frame._onLifecycleEvent(
event.loaderId,event.name),this.emit(FrameManagerEvent.LifecycleEvent,frame),frame.emit(FrameEvent.LifecycleEvent,
void 0))}#onFrameStartedLoading(frameId){let frame=this.frame(frameId);frame&&frame._onLoadingStarted()}#onFrameStoppedLoading(frameId){
let frame=this.frame(frameId);frame&&(frame._onLoadingStopped(),this.emit(FrameManagerEvent.LifecycleEvent,frame),
frame.emit(FrameEvent.LifecycleEvent,void 0))}#handleFrameTree(session,frameTree){if(frameTree.frame.parentId&&
this.#onFrameAttached(session,frameTree.frame.id,frameTree.frame.parentId),this.#frameNavigatedReceived.has(frameTree.
frame.id)?this.#frameNavigatedReceived.delete(frameTree.frame.id):this.#onFrameNavigated(frameTree.frame,"Navi\
gation"),!!frameTree.childFrames)for(let child of frameTree.childFrames)this.#handleFrameTree(session,child)}#onFrameAttached(session,frameId,parentFrameId){
let frame=this.frame(frameId);if(frame){let parentFrame=this.frame(parentFrameId);session&&parentFrame&&frame.
client!==parentFrame?.client&&frame.updateClient(session);return}frame=new CdpFrame(this,frameId,parentFrameId,
session),this._frameTree.addFrame(frame),this.emit(FrameManagerEvent.FrameAttached,frame)}async#onFrameNavigated(framePayload,navigationType){
let frameId=framePayload.id,isMainFrame=!framePayload.parentId,frame=this._frameTree.getById(frameId);if(frame)
for(let child of frame.childFrames())this.#removeFramesRecursively(child);isMainFrame&&(frame?(this._frameTree.
removeFrame(frame),frame._id=frameId):frame=new CdpFrame(this,frameId,void 0,this.#client),this._frameTree.addFrame(
frame)),frame=await this._frameTree.waitForFrame(frameId),frame._navigated(framePayload),this.emit(FrameManagerEvent.
FrameNavigated,frame),frame.emit(FrameEvent.FrameNavigated,navigationType)}async#createIsolatedWorld(session,name){
let key=`${session.id()}:${name}`;this.#isolatedWorlds.has(key)||(await session.send("Page.addScriptToEvaluate\
OnNewDocument",{source:`//# sourceURL=${PuppeteerURL.INTERNAL_URL}`,worldName:name}),await Promise.all(this.frames().
filter(frame=>frame.client===session).map(frame=>session.send("Page.createIsolatedWorld",{frameId:frame._id,worldName:name,
grantUniveralAccess:!0}).catch(debugError))),this.#isolatedWorlds.add(key))}#onFrameNavigatedWithinDocument(frameId,url){
let frame=this.frame(frameId);frame&&(frame._navigatedWithinDocument(url),this.emit(FrameManagerEvent.FrameNavigatedWithinDocument,
frame),frame.emit(FrameEvent.FrameNavigatedWithinDocument,void 0),this.emit(FrameManagerEvent.FrameNavigated,frame),
frame.emit(FrameEvent.FrameNavigated,"Navigation"))}#onFrameDetached(frameId,reason){let frame=this.frame(frameId);
if(frame)switch(reason){case"remove":this.#removeFramesRecursively(frame);break;case"swap":this.emit(FrameManagerEvent.
FrameSwapped,frame),frame.emit(FrameEvent.FrameSwapped,void 0);break}}#isExtensionOrigin(origin){return origin.
startsWith(CHROME_EXTENSION_PREFIX)}#extractExtensionId(origin){if(!origin||!this.#isExtensionOrigin(origin))return null;
let pathPart=origin.substring(CHROME_EXTENSION_PREFIX.length),slashIndex=pathPart.indexOf("/");return slashIndex===
-1?pathPart:pathPart.substring(0,slashIndex)}#onExecutionContextCreated(contextPayload,session){let auxData=contextPayload.
auxData,origin=contextPayload.origin,frameId=auxData&&auxData.frameId,frame=typeof frameId=="string"?this.frame(
frameId):void 0,world;if(frame){if(frame.client!==session)return;if(contextPayload.auxData&&contextPayload.auxData.
isDefault)world=frame.worlds[MAIN_WORLD];else if(contextPayload.name===UTILITY_WORLD_NAME)world=frame.worlds[PUPPETEER_WORLD];else if(this.#isExtensionOrigin(
origin)){let extId=this.#extractExtensionId(origin);if(!extId){debugError("Error while parsing extension id");
return}frame.extensionWorlds[extId]?world=frame.extensionWorlds[extId]:(world=new IsolatedWorld(frame,this.timeoutSettings,
extId),frame.extensionWorlds[extId]=world,frame.registerWorldListeners(world),world.origin=origin,world.setWorldId(
extId))}}if(!world)return;let context2=new ExecutionContext(frame?.client||this.#client,contextPayload,world);
world.setContext(context2)}#removeFramesRecursively(frame){for(let child of frame.childFrames())this.#removeFramesRecursively(
child);this._frameTree.removeFrame(frame),this.emit(FrameManagerEvent.FrameDetached,frame),frame.emit(FrameEvent.
FrameDetached,frame),frame[disposeSymbol]()}};var _keyDefinitions={0:{keyCode:48,key:"0",code:"Digit0"},1:{keyCode:49,key:"1",code:"Digit1"},2:{keyCode:50,key:"\
2",code:"Digit2"},3:{keyCode:51,key:"3",code:"Digit3"},4:{keyCode:52,key:"4",code:"Digit4"},5:{keyCode:53,key:"\
5",code:"Digit5"},6:{keyCode:54,key:"6",code:"Digit6"},7:{keyCode:55,key:"7",code:"Digit7"},8:{keyCode:56,key:"\
8",code:"Digit8"},9:{keyCode:57,key:"9",code:"Digit9"},Power:{key:"Power",code:"Power"},Eject:{key:"Eject",code:"\
Eject"},Abort:{keyCode:3,code:"Abort",key:"Cancel"},Help:{keyCode:6,code:"Help",key:"Help"},Backspace:{keyCode:8,
code:"Backspace",key:"Backspace"},Tab:{keyCode:9,code:"Tab",key:"Tab"},Numpad5:{keyCode:12,shiftKeyCode:101,key:"\
Clear",code:"Numpad5",shiftKey:"5",location:3},NumpadEnter:{keyCode:13,code:"NumpadEnter",key:"Enter",text:"\r",
location:3},Enter:{keyCode:13,code:"Enter",key:"Enter",text:"\r"},"\r":{keyCode:13,code:"Enter",key:"Enter",text:"\
\r"},"\n":{keyCode:13,code:"Enter",key:"Enter",text:"\r"},ShiftLeft:{keyCode:16,code:"ShiftLeft",key:"Shift",location:1},
ShiftRight:{keyCode:16,code:"ShiftRight",key:"Shift",location:2},ControlLeft:{keyCode:17,code:"ControlLeft",key:"\
Control",location:1},ControlRight:{keyCode:17,code:"ControlRight",key:"Control",location:2},AltLeft:{keyCode:18,
code:"AltLeft",key:"Alt",location:1},AltRight:{keyCode:18,code:"AltRight",key:"Alt",location:2},Pause:{keyCode:19,
code:"Pause",key:"Pause"},CapsLock:{keyCode:20,code:"CapsLock",key:"CapsLock"},Escape:{keyCode:27,code:"Escape",
key:"Escape"},Convert:{keyCode:28,code:"Convert",key:"Convert"},NonConvert:{keyCode:29,code:"NonConvert",key:"\
NonConvert"},Space:{keyCode:32,code:"Space",key:" "},Numpad9:{keyCode:33,shiftKeyCode:105,key:"PageUp",code:"N\
umpad9",shiftKey:"9",location:3},PageUp:{keyCode:33,code:"PageUp",key:"PageUp"},Numpad3:{keyCode:34,shiftKeyCode:99,
key:"PageDown",code:"Numpad3",shiftKey:"3",location:3},PageDown:{keyCode:34,code:"PageDown",key:"PageDown"},End:{
keyCode:35,code:"End",key:"End"},Numpad1:{keyCode:35,shiftKeyCode:97,key:"End",code:"Numpad1",shiftKey:"1",location:3},
Home:{keyCode:36,code:"Home",key:"Home"},Numpad7:{keyCode:36,shiftKeyCode:103,key:"Home",code:"Numpad7",shiftKey:"\
7",location:3},ArrowLeft:{keyCode:37,code:"ArrowLeft",key:"ArrowLeft"},Numpad4:{keyCode:37,shiftKeyCode:100,key:"\
ArrowLeft",code:"Numpad4",shiftKey:"4",location:3},Numpad8:{keyCode:38,shiftKeyCode:104,key:"ArrowUp",code:"Nu\
mpad8",shiftKey:"8",location:3},ArrowUp:{keyCode:38,code:"ArrowUp",key:"ArrowUp"},ArrowRight:{keyCode:39,code:"\
ArrowRight",key:"ArrowRight"},Numpad6:{keyCode:39,shiftKeyCode:102,key:"ArrowRight",code:"Numpad6",shiftKey:"6",
location:3},Numpad2:{keyCode:40,shiftKeyCode:98,key:"ArrowDown",code:"Numpad2",shiftKey:"2",location:3},ArrowDown:{
keyCode:40,code:"ArrowDown",key:"ArrowDown"},Select:{keyCode:41,code:"Select",key:"Select"},Open:{keyCode:43,code:"\
Open",key:"Execute"},PrintScreen:{keyCode:44,code:"PrintScreen",key:"PrintScreen"},Insert:{keyCode:45,code:"In\
sert",key:"Insert"},Numpad0:{keyCode:45,shiftKeyCode:96,key:"Insert",code:"Numpad0",shiftKey:"0",location:3},Delete:{
keyCode:46,code:"Delete",key:"Delete"},NumpadDecimal:{keyCode:46,shiftKeyCode:110,code:"NumpadDecimal",key:"\0",
shiftKey:".",location:3},Digit0:{keyCode:48,code:"Digit0",shiftKey:")",key:"0"},Digit1:{keyCode:49,code:"Digit\
1",shiftKey:"!",key:"1"},Digit2:{keyCode:50,code:"Digit2",shiftKey:"@",key:"2"},Digit3:{keyCode:51,code:"Digit\
3",shiftKey:"#",key:"3"},Digit4:{keyCode:52,code:"Digit4",shiftKey:"$",key:"4"},Digit5:{keyCode:53,code:"Digit\
5",shiftKey:"%",key:"5"},Digit6:{keyCode:54,code:"Digit6",shiftKey:"^",key:"6"},Digit7:{keyCode:55,code:"Digit\
7",shiftKey:"&",key:"7"},Digit8:{keyCode:56,code:"Digit8",shiftKey:"*",key:"8"},Digit9:{keyCode:57,code:"Digit\
9",shiftKey:"(",key:"9"},KeyA:{keyCode:65,code:"KeyA",shiftKey:"A",key:"a"},KeyB:{keyCode:66,code:"KeyB",shiftKey:"\
B",key:"b"},KeyC:{keyCode:67,code:"KeyC",shiftKey:"C",key:"c"},KeyD:{keyCode:68,code:"KeyD",shiftKey:"D",key:"\
d"},KeyE:{keyCode:69,code:"KeyE",shiftKey:"E",key:"e"},KeyF:{keyCode:70,code:"KeyF",shiftKey:"F",key:"f"},KeyG:{
keyCode:71,code:"KeyG",shiftKey:"G",key:"g"},KeyH:{keyCode:72,code:"KeyH",shiftKey:"H",key:"h"},KeyI:{keyCode:73,
code:"KeyI",shiftKey:"I",key:"i"},KeyJ:{keyCode:74,code:"KeyJ",shiftKey:"J",key:"j"},KeyK:{keyCode:75,code:"Ke\
yK",shiftKey:"K",key:"k"},KeyL:{keyCode:76,code:"KeyL",shiftKey:"L",key:"l"},KeyM:{keyCode:77,code:"KeyM",shiftKey:"\
M",key:"m"},KeyN:{keyCode:78,code:"KeyN",shiftKey:"N",key:"n"},KeyO:{keyCode:79,code:"KeyO",shiftKey:"O",key:"\
o"},KeyP:{keyCode:80,code:"KeyP",shiftKey:"P",key:"p"},KeyQ:{keyCode:81,code:"KeyQ",shiftKey:"Q",key:"q"},KeyR:{
keyCode:82,code:"KeyR",shiftKey:"R",key:"r"},KeyS:{keyCode:83,code:"KeyS",shiftKey:"S",key:"s"},KeyT:{keyCode:84,
code:"KeyT",shiftKey:"T",key:"t"},KeyU:{keyCode:85,code:"KeyU",shiftKey:"U",key:"u"},KeyV:{keyCode:86,code:"Ke\
yV",shiftKey:"V",key:"v"},KeyW:{keyCode:87,code:"KeyW",shiftKey:"W",key:"w"},KeyX:{keyCode:88,code:"KeyX",shiftKey:"\
X",key:"x"},KeyY:{keyCode:89,code:"KeyY",shiftKey:"Y",key:"y"},KeyZ:{keyCode:90,code:"KeyZ",shiftKey:"Z",key:"\
z"},MetaLeft:{keyCode:91,code:"MetaLeft",key:"Meta",location:1},MetaRight:{keyCode:92,code:"MetaRight",key:"Me\
ta",location:2},ContextMenu:{keyCode:93,code:"ContextMenu",key:"ContextMenu"},NumpadMultiply:{keyCode:106,code:"\
NumpadMultiply",key:"*",location:3},NumpadAdd:{keyCode:107,code:"NumpadAdd",key:"+",location:3},NumpadSubtract:{
keyCode:109,code:"NumpadSubtract",key:"-",location:3},NumpadDivide:{keyCode:111,code:"NumpadDivide",key:"/",location:3},
F1:{keyCode:112,code:"F1",key:"F1"},F2:{keyCode:113,code:"F2",key:"F2"},F3:{keyCode:114,code:"F3",key:"F3"},F4:{
keyCode:115,code:"F4",key:"F4"},F5:{keyCode:116,code:"F5",key:"F5"},F6:{keyCode:117,code:"F6",key:"F6"},F7:{keyCode:118,
code:"F7",key:"F7"},F8:{keyCode:119,code:"F8",key:"F8"},F9:{keyCode:120,code:"F9",key:"F9"},F10:{keyCode:121,code:"\
F10",key:"F10"},F11:{keyCode:122,code:"F11",key:"F11"},F12:{keyCode:123,code:"F12",key:"F12"},F13:{keyCode:124,
code:"F13",key:"F13"},F14:{keyCode:125,code:"F14",key:"F14"},F15:{keyCode:126,code:"F15",key:"F15"},F16:{keyCode:127,
code:"F16",key:"F16"},F17:{keyCode:128,code:"F17",key:"F17"},F18:{keyCode:129,code:"F18",key:"F18"},F19:{keyCode:130,
code:"F19",key:"F19"},F20:{keyCode:131,code:"F20",key:"F20"},F21:{keyCode:132,code:"F21",key:"F21"},F22:{keyCode:133,
code:"F22",key:"F22"},F23:{keyCode:134,code:"F23",key:"F23"},F24:{keyCode:135,code:"F24",key:"F24"},NumLock:{keyCode:144,
code:"NumLock",key:"NumLock"},ScrollLock:{keyCode:145,code:"ScrollLock",key:"ScrollLock"},AudioVolumeMute:{keyCode:173,
code:"AudioVolumeMute",key:"AudioVolumeMute"},AudioVolumeDown:{keyCode:174,code:"AudioVolumeDown",key:"AudioVo\
lumeDown"},AudioVolumeUp:{keyCode:175,code:"AudioVolumeUp",key:"AudioVolumeUp"},MediaTrackNext:{keyCode:176,code:"\
MediaTrackNext",key:"MediaTrackNext"},MediaTrackPrevious:{keyCode:177,code:"MediaTrackPrevious",key:"MediaTrac\
kPrevious"},MediaStop:{keyCode:178,code:"MediaStop",key:"MediaStop"},MediaPlayPause:{keyCode:179,code:"MediaPl\
ayPause",key:"MediaPlayPause"},Semicolon:{keyCode:186,code:"Semicolon",shiftKey:":",key:";"},Equal:{keyCode:187,
code:"Equal",shiftKey:"+",key:"="},NumpadEqual:{keyCode:187,code:"NumpadEqual",key:"=",location:3},Comma:{keyCode:188,
code:"Comma",shiftKey:"<",key:","},Minus:{keyCode:189,code:"Minus",shiftKey:"_",key:"-"},Period:{keyCode:190,code:"\
Period",shiftKey:">",key:"."},Slash:{keyCode:191,code:"Slash",shiftKey:"?",key:"/"},Backquote:{keyCode:192,code:"\
Backquote",shiftKey:"~",key:"`"},BracketLeft:{keyCode:219,code:"BracketLeft",shiftKey:"{",key:"["},Backslash:{
keyCode:220,code:"Backslash",shiftKey:"|",key:"\\"},BracketRight:{keyCode:221,code:"BracketRight",shiftKey:"}",
key:"]"},Quote:{keyCode:222,code:"Quote",shiftKey:'"',key:"'"},AltGraph:{keyCode:225,code:"AltGraph",key:"AltG\
raph"},Props:{keyCode:247,code:"Props",key:"CrSel"},Cancel:{keyCode:3,key:"Cancel",code:"Abort"},Clear:{keyCode:12,
key:"Clear",code:"Numpad5",location:3},Shift:{keyCode:16,key:"Shift",code:"ShiftLeft",location:1},Control:{keyCode:17,
key:"Control",code:"ControlLeft",location:1},Alt:{keyCode:18,key:"Alt",code:"AltLeft",location:1},Accept:{keyCode:30,
key:"Accept"},ModeChange:{keyCode:31,key:"ModeChange"}," ":{keyCode:32,key:" ",code:"Space"},Print:{keyCode:42,
key:"Print"},Execute:{keyCode:43,key:"Execute",code:"Open"},"\0":{keyCode:46,key:"\0",code:"NumpadDecimal",location:3},
a:{keyCode:65,key:"a",code:"KeyA"},b:{keyCode:66,key:"b",code:"KeyB"},c:{keyCode:67,key:"c",code:"KeyC"},d:{keyCode:68,
key:"d",code:"KeyD"},e:{keyCode:69,key:"e",code:"KeyE"},f:{keyCode:70,key:"f",code:"KeyF"},g:{keyCode:71,key:"\
g",code:"KeyG"},h:{keyCode:72,key:"h",code:"KeyH"},i:{keyCode:73,key:"i",code:"KeyI"},j:{keyCode:74,key:"j",code:"\
KeyJ"},k:{keyCode:75,key:"k",code:"KeyK"},l:{keyCode:76,key:"l",code:"KeyL"},m:{keyCode:77,key:"m",code:"KeyM"},
n:{keyCode:78,key:"n",code:"KeyN"},o:{keyCode:79,key:"o",code:"KeyO"},p:{keyCode:80,key:"p",code:"KeyP"},q:{keyCode:81,
key:"q",code:"KeyQ"},r:{keyCode:82,key:"r",code:"KeyR"},s:{keyCode:83,key:"s",code:"KeyS"},t:{keyCode:84,key:"\
t",code:"KeyT"},u:{keyCode:85,key:"u",code:"KeyU"},v:{keyCode:86,key:"v",code:"KeyV"},w:{keyCode:87,key:"w",code:"\
KeyW"},x:{keyCode:88,key:"x",code:"KeyX"},y:{keyCode:89,key:"y",code:"KeyY"},z:{keyCode:90,key:"z",code:"KeyZ"},
Meta:{keyCode:91,key:"Meta",code:"MetaLeft",location:1},"*":{keyCode:106,key:"*",code:"NumpadMultiply",location:3},
"+":{keyCode:107,key:"+",code:"NumpadAdd",location:3},"-":{keyCode:109,key:"-",code:"NumpadSubtract",location:3},
"/":{keyCode:111,key:"/",code:"NumpadDivide",location:3},";":{keyCode:186,key:";",code:"Semicolon"},"=":{keyCode:187,
key:"=",code:"Equal"},",":{keyCode:188,key:",",code:"Comma"},".":{keyCode:190,key:".",code:"Period"},"`":{keyCode:192,
key:"`",code:"Backquote"},"[":{keyCode:219,key:"[",code:"BracketLeft"},"\\":{keyCode:220,key:"\\",code:"Backsl\
ash"},"]":{keyCode:221,key:"]",code:"BracketRight"},"'":{keyCode:222,key:"'",code:"Quote"},Attn:{keyCode:246,key:"\
Attn"},CrSel:{keyCode:247,key:"CrSel",code:"Props"},ExSel:{keyCode:248,key:"ExSel"},EraseEof:{keyCode:249,key:"\
EraseEof"},Play:{keyCode:250,key:"Play"},ZoomOut:{keyCode:251,key:"ZoomOut"},")":{keyCode:48,key:")",code:"Dig\
it0"},"!":{keyCode:49,key:"!",code:"Digit1"},"@":{keyCode:50,key:"@",code:"Digit2"},"#":{keyCode:51,key:"#",code:"\
Digit3"},$:{keyCode:52,key:"$",code:"Digit4"},"%":{keyCode:53,key:"%",code:"Digit5"},"^":{keyCode:54,key:"^",code:"\
Digit6"},"&":{keyCode:55,key:"&",code:"Digit7"},"(":{keyCode:57,key:"(",code:"Digit9"},A:{keyCode:65,key:"A",code:"\
KeyA"},B:{keyCode:66,key:"B",code:"KeyB"},C:{keyCode:67,key:"C",code:"KeyC"},D:{keyCode:68,key:"D",code:"KeyD"},
E:{keyCode:69,key:"E",code:"KeyE"},F:{keyCode:70,key:"F",code:"KeyF"},G:{keyCode:71,key:"G",code:"KeyG"},H:{keyCode:72,
key:"H",code:"KeyH"},I:{keyCode:73,key:"I",code:"KeyI"},J:{keyCode:74,key:"J",code:"KeyJ"},K:{keyCode:75,key:"\
K",code:"KeyK"},L:{keyCode:76,key:"L",code:"KeyL"},M:{keyCode:77,key:"M",code:"KeyM"},N:{keyCode:78,key:"N",code:"\
KeyN"},O:{keyCode:79,key:"O",code:"KeyO"},P:{keyCode:80,key:"P",code:"KeyP"},Q:{keyCode:81,key:"Q",code:"KeyQ"},
R:{keyCode:82,key:"R",code:"KeyR"},S:{keyCode:83,key:"S",code:"KeyS"},T:{keyCode:84,key:"T",code:"KeyT"},U:{keyCode:85,
key:"U",code:"KeyU"},V:{keyCode:86,key:"V",code:"KeyV"},W:{keyCode:87,key:"W",code:"KeyW"},X:{keyCode:88,key:"\
X",code:"KeyX"},Y:{keyCode:89,key:"Y",code:"KeyY"},Z:{keyCode:90,key:"Z",code:"KeyZ"},":":{keyCode:186,key:":",
code:"Semicolon"},"<":{keyCode:188,key:"<",code:"Comma"},_:{keyCode:189,key:"_",code:"Minus"},">":{keyCode:190,
key:">",code:"Period"},"?":{keyCode:191,key:"?",code:"Slash"},"~":{keyCode:192,key:"~",code:"Backquote"},"{":{
keyCode:219,key:"{",code:"BracketLeft"},"|":{keyCode:220,key:"|",code:"Backslash"},"}":{keyCode:221,key:"}",code:"\
BracketRight"},'"':{keyCode:222,key:'"',code:"Quote"},SoftLeft:{key:"SoftLeft",code:"SoftLeft",location:4},SoftRight:{
key:"SoftRight",code:"SoftRight",location:4},Camera:{keyCode:44,key:"Camera",code:"Camera",location:4},Call:{key:"\
Call",code:"Call",location:4},EndCall:{keyCode:95,key:"EndCall",code:"EndCall",location:4},VolumeDown:{keyCode:182,
key:"VolumeDown",code:"VolumeDown",location:4},VolumeUp:{keyCode:183,key:"VolumeUp",code:"VolumeUp",location:4}};var CdpKeyboard=class extends Keyboard{#client;#pressedKeys=new Set;_modifiers=0;constructor(client){super(),this.#client=
client}updateClient(client){this.#client=client}async down(key,options={text:void 0,commands:[]}){let description=this.#keyDescriptionForString(
key),autoRepeat=this.#pressedKeys.has(description.code);this.#pressedKeys.add(description.code),this._modifiers|=
this.#modifierBit(description.key);let text=options.text===void 0?description.text:options.text;await this.#client.
send("Input.dispatchKeyEvent",{type:text?"keyDown":"rawKeyDown",modifiers:this._modifiers,windowsVirtualKeyCode:description.
keyCode,code:description.code,key:description.key,text,unmodifiedText:text,autoRepeat,location:description.location,
isKeypad:description.location===3,commands:options.commands})}#modifierBit(key){return key==="Alt"?1:key==="Co\
ntrol"?2:key==="Meta"?4:key==="Shift"?8:0}#keyDescriptionForString(keyString){let shift=this._modifiers&8,description={
key:"",keyCode:0,code:"",text:"",location:0},definition=_keyDefinitions[keyString];return assert(definition,`U\
nknown key: "${keyString}"`),definition.key&&(description.key=definition.key),shift&&definition.shiftKey&&(description.
key=definition.shiftKey),definition.keyCode&&(description.keyCode=definition.keyCode),shift&&definition.shiftKeyCode&&
(description.keyCode=definition.shiftKeyCode),definition.code&&(description.code=definition.code),definition.location&&
(description.location=definition.location),description.key.length===1&&(description.text=description.key),definition.
text&&(description.text=definition.text),shift&&definition.shiftText&&(description.text=definition.shiftText),
this._modifiers&-9&&(description.text=""),description}async up(key){let description=this.#keyDescriptionForString(
key);this._modifiers&=~this.#modifierBit(description.key),this.#pressedKeys.delete(description.code),await this.#client.
send("Input.dispatchKeyEvent",{type:"keyUp",modifiers:this._modifiers,key:description.key,windowsVirtualKeyCode:description.
keyCode,code:description.code,location:description.location})}async sendCharacter(char){await this.#client.send(
"Input.insertText",{text:char})}charIsKey(char){return!!_keyDefinitions[char]}async type(text,options={}){let delay=options.
delay||void 0;for(let char of text)this.charIsKey(char)?await this.press(char,{delay}):(delay&&await new Promise(
f=>setTimeout(f,delay)),await this.sendCharacter(char))}async press(key,options={}){let{delay=null}=options;await this.
down(key,options),delay&&await new Promise(f=>setTimeout(f,options.delay)),await this.up(key)}},getFlag=button=>{
switch(button){case MouseButton.Left:return 1;case MouseButton.Right:return 2;case MouseButton.Middle:return 4;case MouseButton.
Back:return 8;case MouseButton.Forward:return 16}},getButtonFromPressedButtons=buttons=>buttons&1?MouseButton.
Left:buttons&2?MouseButton.Right:buttons&4?MouseButton.Middle:buttons&8?MouseButton.Back:buttons&16?MouseButton.
Forward:"none",CdpMouse=class extends Mouse{#client;#keyboard;constructor(client,keyboard){super(),this.#client=
client,this.#keyboard=keyboard}updateClient(client){this.#client=client}#_state={position:{x:0,y:0},buttons:0};get#state(){
return Object.assign({...this.#_state},...this.#transactions)}#transactions=[];#createTransaction(){let transaction={};
this.#transactions.push(transaction);let popTransaction=()=>{this.#transactions.splice(this.#transactions.indexOf(
transaction),1)};return{update:updates=>{Object.assign(transaction,updates)},commit:()=>{this.#_state={...this.#_state,
...transaction},popTransaction()},rollback:popTransaction}}async#withTransaction(action){let{update,commit,rollback}=this.#createTransaction();
try{await action(update),commit()}catch(error){throw rollback(),error}}async reset(){let actions=[];for(let[flag,
button]of[[1,MouseButton.Left],[4,MouseButton.Middle],[2,MouseButton.Right],[16,MouseButton.Forward],[8,MouseButton.
Back]])this.#state.buttons&flag&&actions.push(this.up({button}));(this.#state.position.x!==0||this.#state.position.
y!==0)&&actions.push(this.move(0,0)),await Promise.all(actions)}async move(x2,y,options={}){let{steps=1}=options,
from2=this.#state.position,to={x:x2,y};for(let i=1;i<=steps;i++)await this.#withTransaction(updateState=>{updateState(
{position:{x:from2.x+(to.x-from2.x)*(i/steps),y:from2.y+(to.y-from2.y)*(i/steps)}});let{buttons,position}=this.#state;
return this.#client.send("Input.dispatchMouseEvent",{type:"mouseMoved",modifiers:this.#keyboard._modifiers,buttons,
button:getButtonFromPressedButtons(buttons),...position})})}async down(options={}){let{button=MouseButton.Left,
clickCount=1}=options,flag=getFlag(button);if(!flag)throw new Error(`Unsupported mouse button: ${button}`);if(this.#state.
buttons&flag)throw new Error(`'${button}' is already pressed.`);await this.#withTransaction(updateState=>{updateState(
{buttons:this.#state.buttons|flag});let{buttons,position}=this.#state;return this.#client.send("Input.dispatch\
MouseEvent",{type:"mousePressed",modifiers:this.#keyboard._modifiers,clickCount,buttons,button,...position})})}async up(options={}){
let{button=MouseButton.Left,clickCount=1}=options,flag=getFlag(button);if(!flag)throw new Error(`Unsupported m\
ouse button: ${button}`);if(!(this.#state.buttons&flag))throw new Error(`'${button}' is not pressed.`);await this.#withTransaction(
updateState=>{updateState({buttons:this.#state.buttons&~flag});let{buttons,position}=this.#state;return this.#client.
send("Input.dispatchMouseEvent",{type:"mouseReleased",modifiers:this.#keyboard._modifiers,clickCount,buttons,button,
...position})})}async click(x2,y,options={}){let{delay,count=1,clickCount=count}=options;if(count<1)throw new Error(
"Click must occur a positive number of times.");let actions=[this.move(x2,y)];if(clickCount===count)for(let i=1;i<
count;++i)actions.push(this.down({...options,clickCount:i}),this.up({...options,clickCount:i}));actions.push(this.
down({...options,clickCount})),typeof delay=="number"&&(await Promise.all(actions),actions.length=0,await new Promise(
resolve=>{setTimeout(resolve,delay)})),actions.push(this.up({...options,clickCount})),await Promise.all(actions)}async wheel(options={}){
let{deltaX=0,deltaY=0}=options,{position,buttons}=this.#state;await this.#client.send("Input.dispatchMouseEven\
t",{type:"mouseWheel",pointerType:"mouse",modifiers:this.#keyboard._modifiers,deltaY,deltaX,buttons,...position})}async drag(start,target){
let promise=new Promise(resolve=>{this.#client.once("Input.dragIntercepted",event=>resolve(event.data))});return await this.
move(start.x,start.y),await this.down(),await this.move(target.x,target.y),await promise}async dragEnter(target,data){
await this.#client.send("Input.dispatchDragEvent",{type:"dragEnter",x:target.x,y:target.y,modifiers:this.#keyboard.
_modifiers,data})}async dragOver(target,data){await this.#client.send("Input.dispatchDragEvent",{type:"dragOve\
r",x:target.x,y:target.y,modifiers:this.#keyboard._modifiers,data})}async drop(target,data){await this.#client.
send("Input.dispatchDragEvent",{type:"drop",x:target.x,y:target.y,modifiers:this.#keyboard._modifiers,data})}async dragAndDrop(start,target,options={}){
let{delay=null}=options,data=await this.drag(start,target);await this.dragEnter(target,data),await this.dragOver(
target,data),delay&&await new Promise(resolve=>setTimeout(resolve,delay)),await this.drop(target,data),await this.
up()}},CdpTouchHandle=class{#started=!1;#touchScreen;#touchPoint;#client;#keyboard;constructor(client,touchScreen,keyboard,touchPoint){
this.#client=client,this.#touchScreen=touchScreen,this.#keyboard=keyboard,this.#touchPoint=touchPoint}updateClient(client){
this.#client=client}async start(){if(this.#started)throw new TouchError("Touch has already started");await this.#client.
send("Input.dispatchTouchEvent",{type:"touchStart",touchPoints:[this.#touchPoint],modifiers:this.#keyboard._modifiers}),
this.#started=!0}move(x2,y){return this.#touchPoint.x=Math.round(x2),this.#touchPoint.y=Math.round(y),this.#client.
send("Input.dispatchTouchEvent",{type:"touchMove",touchPoints:[this.#touchPoint],modifiers:this.#keyboard._modifiers})}async end(){
await this.#client.send("Input.dispatchTouchEvent",{type:"touchEnd",touchPoints:[this.#touchPoint],modifiers:this.#keyboard.
_modifiers}),this.#touchScreen.removeHandle(this)}},CdpTouchscreen=class extends Touchscreen{#client;#keyboard;constructor(client,keyboard){
super(),this.#client=client,this.#keyboard=keyboard}updateClient(client){this.#client=client,this.touches.forEach(
t=>{t.updateClient(client)})}async touchStart(x2,y){let id=this.idGenerator(),touchPoint={x:Math.round(x2),y:Math.
round(y),radiusX:.5,radiusY:.5,force:.5,id},touch=new CdpTouchHandle(this.#client,this,this.#keyboard,touchPoint);
return await touch.start(),this.touches.push(touch),touch}};var Tracing=class{#client;#recording=!1;#path;constructor(client){this.#client=client}updateClient(client){this.#client=
client}async start(options={}){assert(!this.#recording,"Cannot start recording trace while already recording t\
race.");let defaultCategories=["-*","devtools.timeline","v8.execute","disabled-by-default-devtools.timeline","\
disabled-by-default-devtools.timeline.frame","toplevel","blink.console","blink.user_timing","latencyInfo","dis\
abled-by-default-devtools.timeline.stack","disabled-by-default-v8.cpu_profiler"],{path,screenshots=!1,categories=defaultCategories}=options;
screenshots&&categories.push("disabled-by-default-devtools.screenshot");let excludedCategories=categories.filter(
cat=>cat.startsWith("-")).map(cat=>cat.slice(1)),includedCategories=categories.filter(cat=>!cat.startsWith("-"));
this.#path=path,this.#recording=!0,await this.#client.send("Tracing.start",{transferMode:"ReturnAsStream",traceConfig:{
excludedCategories,includedCategories}})}async stop(){let contentDeferred=Deferred.create();return this.#client.
once("Tracing.tracingComplete",async event=>{try{assert(event.stream,'Missing "stream"');let readable=await getReadableFromProtocolStream(
this.#client,event.stream),typedArray=await getReadableAsTypedArray(readable,this.#path);contentDeferred.resolve(
typedArray??void 0)}catch(error){isErrorLike(error)?contentDeferred.reject(error):contentDeferred.reject(new Error(
`Unknown error: ${error}`))}}),await this.#client.send("Tracing.end"),this.#recording=!1,await contentDeferred.
valueOrThrow()}};var WebMCPTool=class extends EventEmitter{#webmcp;#backendNodeId;#formElement;name;description;inputSchema;annotations;frame;location;rawStackTrace;constructor(webmcp,tool,frame){
super(),this.#webmcp=webmcp,this.name=tool.name,this.description=tool.description,this.inputSchema=tool.inputSchema,
this.annotations=tool.annotations,this.frame=frame,this.#backendNodeId=tool.backendNodeId,tool.stackTrace?.callFrames.
length&&(this.location={url:tool.stackTrace.callFrames[0].url,lineNumber:tool.stackTrace.callFrames[0].lineNumber,
columnNumber:tool.stackTrace.callFrames[0].columnNumber}),this.rawStackTrace=tool.stackTrace}get formElement(){
return(async()=>{if(this.#formElement&&!this.#formElement.disposed)return this.#formElement;if(this.#backendNodeId)
return this.#formElement=await this.frame.worlds[MAIN_WORLD].adoptBackendNode(this.#backendNodeId),this.#formElement})()}async execute(input={}){
let{invocationId}=await this.#webmcp.invokeTool(this,input);return await new Promise(resolve=>{let handler=event=>{
event.id===invocationId&&(this.#webmcp.off("toolresponded",handler),resolve(event))};this.#webmcp.on("toolresp\
onded",handler)})}},WebMCPToolCall=class{id;tool;input;constructor(invocationId,tool,input){this.id=invocationId,
this.tool=tool;try{this.input=JSON.parse(input)}catch(error){this.input={},debugError(error)}}},WebMCP=class extends EventEmitter{#client;#frameManager;#tools=new Map;#pendingCalls=new Map;#onToolsAdded=event=>{
let tools=[];for(let tool of event.tools){let frame=this.#frameManager.frame(tool.frameId);if(!frame)continue;
let frameTools=this.#tools.get(tool.frameId)??new Map;this.#tools.has(tool.frameId)||this.#tools.set(tool.frameId,
frameTools);let addedTool=new WebMCPTool(this,tool,frame);frameTools.set(tool.name,addedTool),tools.push(addedTool)}
this.emit("toolsadded",{tools})};#onToolsRemoved=event=>{let tools=[];event.tools.forEach(tool=>{let removedTool=this.#tools.
get(tool.frameId)?.get(tool.name);removedTool&&tools.push(removedTool),this.#tools.get(tool.frameId)?.delete(tool.
name)}),this.emit("toolsremoved",{tools})};#onToolInvoked=event=>{let tool=this.#tools.get(event.frameId)?.get(
event.toolName);if(!tool)return;let call=new WebMCPToolCall(event.invocationId,tool,event.input);this.#pendingCalls.
set(call.id,call),tool.emit("toolinvoked",call),this.emit("toolinvoked",call)};#onToolResponded=event=>{let call=this.#pendingCalls.
get(event.invocationId);call&&this.#pendingCalls.delete(event.invocationId);let response={id:event.invocationId,
call,status:event.status,output:event.output,errorText:event.errorText,exception:event.exception};this.emit("t\
oolresponded",response)};#onFrameNavigated=frame=>{this.#pendingCalls.clear();let frameTools=this.#tools.get(frame.
_id);if(!frameTools)return;let tools=Array.from(frameTools.values());this.#tools.delete(frame._id),tools.length&&
this.emit("toolsremoved",{tools})};constructor(client,frameManager){super(),this.#client=client,this.#frameManager=
frameManager,this.#frameManager.on(FrameManagerEvent.FrameNavigated,this.#onFrameNavigated),this.#bindListeners()}async initialize(){
return await this.#client.send("WebMCP.enable").catch(debugError)}async invokeTool(tool,input){return await this.#client.
send("WebMCP.invokeTool",{frameId:tool.frame._id,toolName:tool.name,input})}tools(){return Array.from(this.#tools.
values()).flatMap(toolMap=>Array.from(toolMap.values()))}#bindListeners(){this.#client.on("WebMCP.toolsAdded",
this.#onToolsAdded),this.#client.on("WebMCP.toolsRemoved",this.#onToolsRemoved),this.#client.on("WebMCP.toolIn\
voked",this.#onToolInvoked),this.#client.on("WebMCP.toolResponded",this.#onToolResponded)}updateClient(client){
this.#client.off("WebMCP.toolsAdded",this.#onToolsAdded),this.#client.off("WebMCP.toolsRemoved",this.#onToolsRemoved),
this.#client.off("WebMCP.toolInvoked",this.#onToolInvoked),this.#client.off("WebMCP.toolResponded",this.#onToolResponded),
this.#client=client,this.#bindListeners()}};var __addDisposableResource12=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources12=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e});function convertSameSiteFromPuppeteerToCdp(sameSite){switch(sameSite){case"\
Strict":case"Lax":case"None":return sameSite;default:return}}var CdpPage=class _CdpPage extends Page{static async _create(client,target,defaultViewport){
let page=new _CdpPage(client,target);if(await page.#initialize(),defaultViewport)try{await page.setViewport(defaultViewport)}catch(err){
if(isErrorLike(err)&&isTargetClosedError(err))debugError(err);else throw err}return page}#closed=!1;#targetManager;#cdpBluetoothEmulation;#primaryTargetClient;#primaryTarget;#tabTargetClient;#tabTarget;#keyboard;#mouse;#touchscreen;#frameManager;#emulationManager;#tracing;#webmcp;#bindings=new Map;#exposedFunctions=new Map;#coverage;#viewport;#workers=new Map;#fileChooserDeferreds=new Set;#sessionCloseDeferred=Deferred.
create();#serviceWorkerBypassed=!1;#userDragInterceptionEnabled=!1;constructor(client,target){super(),this.#primaryTargetClient=
client,this.#tabTargetClient=client.parentSession(),assert(this.#tabTargetClient,"Tab target session is not de\
fined."),this.#tabTarget=this.#tabTargetClient.target(),assert(this.#tabTarget,"Tab target is not defined."),this.
_tabId=this.#tabTarget._getTargetInfo().targetId,this.#primaryTarget=target,this.#targetManager=target._targetManager(),
this.#keyboard=new CdpKeyboard(client),this.#mouse=new CdpMouse(client,this.#keyboard),this.#touchscreen=new CdpTouchscreen(
client,this.#keyboard),this.#frameManager=new FrameManager(client,this,this._timeoutSettings),this.#emulationManager=
new EmulationManager(client),this.#tracing=new Tracing(client),this.#webmcp=new WebMCP(client,this.#frameManager),
this.#coverage=new Coverage(client),this.#viewport=null,this.#cdpBluetoothEmulation=new CdpBluetoothEmulation(
this.#primaryTargetClient.connection());let frameManagerEmitter=new EventEmitter(this.#frameManager);frameManagerEmitter.
on(FrameManagerEvent.FrameAttached,frame=>{this.emit("frameattached",frame)}),frameManagerEmitter.on(FrameManagerEvent.
FrameDetached,frame=>{this.emit("framedetached",frame)}),frameManagerEmitter.on(FrameManagerEvent.FrameNavigated,
frame=>{this.emit("framenavigated",frame)}),frameManagerEmitter.on(FrameManagerEvent.ConsoleApiCalled,([world,
event])=>{this.#onConsoleAPI(world,event)}),frameManagerEmitter.on(FrameManagerEvent.BindingCalled,([world,event])=>{
this.#onBindingCalled(world,event)});let networkManagerEmitter=new EventEmitter(this.#frameManager.networkManager);
networkManagerEmitter.on(NetworkManagerEvent.Request,request=>{this.emit("request",request)}),networkManagerEmitter.
on(NetworkManagerEvent.RequestServedFromCache,request=>{this.emit("requestservedfromcache",request)}),networkManagerEmitter.
on(NetworkManagerEvent.Response,response=>{this.emit("response",response)}),networkManagerEmitter.on(NetworkManagerEvent.
RequestFailed,request=>{this.emit("requestfailed",request)}),networkManagerEmitter.on(NetworkManagerEvent.RequestFinished,
request=>{this.emit("requestfinished",request)}),this.#tabTargetClient.on(CDPSessionEvent.Swapped,this.#onActivation.
bind(this)),this.#tabTargetClient.on(CDPSessionEvent.Ready,this.#onSecondaryTarget.bind(this)),this.#targetManager.
on("targetGone",this.#onDetachedFromTarget),this.#tabTarget._isClosedDeferred.valueOrThrow().then(()=>{this.#targetManager.
off("targetGone",this.#onDetachedFromTarget),this.emit("close",void 0),this.#closed=!0}).catch(debugError),this.#setupPrimaryTargetListeners(),
this.#attachExistingTargets()}#attachExistingTargets(){let queue=[];for(let childTarget of this.#targetManager.
getChildTargets(this.#primaryTarget))queue.push(childTarget);let idx=0;for(;idx<queue.length;){let next=queue[idx];
idx++;let session=next._session();session&&this.#onAttachedToTarget(session);for(let childTarget of this.#targetManager.
getChildTargets(next))queue.push(childTarget)}}async#onActivation(newSession){assert(newSession instanceof CdpCDPSession,
"CDPSession is not instance of CdpCDPSession"),this.#primaryTargetClient=newSession,this.#primaryTarget=newSession.
target(),assert(this.#primaryTarget,"Missing target on swap"),this.#keyboard.updateClient(newSession),this.#mouse.
updateClient(newSession),this.#touchscreen.updateClient(newSession),this.#emulationManager.updateClient(newSession),
this.#tracing.updateClient(newSession),this.#webmcp.updateClient(newSession),this.#coverage.updateClient(newSession),
await this.#frameManager.swapFrameTree(newSession),this.#setupPrimaryTargetListeners()}async#onSecondaryTarget(session){
assert(session instanceof CdpCDPSession),session.target()._subtype()==="prerender"&&(this.#frameManager.registerSpeculativeSession(
session).catch(debugError),this.#emulationManager.registerSpeculativeSession(session).catch(debugError))}#setupPrimaryTargetListeners(){
let clientEmitter=new EventEmitter(this.#primaryTargetClient);clientEmitter.on(CDPSessionEvent.Ready,this.#onAttachedToTarget),
clientEmitter.on(CDPSessionEvent.Disconnected,()=>{this.#sessionCloseDeferred.reject(new TargetCloseError("Tar\
get closed"))}),clientEmitter.on("Page.domContentEventFired",()=>{this.emit("domcontentloaded",void 0)}),clientEmitter.
on("Page.loadEventFired",()=>{this.emit("load",void 0)}),clientEmitter.on("Page.javascriptDialogOpening",this.#onDialog.
bind(this)),clientEmitter.on("Runtime.exceptionThrown",this.#handleException.bind(this)),clientEmitter.on("Ins\
pector.targetCrashed",this.#onTargetCrashed.bind(this)),clientEmitter.on("Performance.metrics",this.#emitMetrics.
bind(this)),clientEmitter.on("Log.entryAdded",this.#onLogEntryAdded.bind(this)),clientEmitter.on("Page.fileCho\
oserOpened",this.#onFileChooser.bind(this))}#onDetachedFromTarget=target=>{let sessionId=target._session()?.id(),
worker=this.#workers.get(sessionId);worker&&(this.#workers.delete(sessionId),this.emit("workerdestroyed",worker))};#onAttachedToTarget=session=>{
if(assert(session instanceof CdpCDPSession),this.#frameManager.onAttachedToTarget(session.target()),session.target().
_getTargetInfo().type==="worker"){let worker=new CdpWebWorker(session,session.target().url(),session.target().
_targetId,session.target().type(),this.#handleException.bind(this),this.#frameManager.networkManager);this.#workers.
set(session.id(),worker),worker.internalEmitter.on(WebWorkerEvent.Console,message=>{let noListenersForConsoleOnPage=this.
listenerCount("console")===0,noListenersForConsoleOnWorker=worker.listenerCount(WebWorkerEvent.Console)===0;if(noListenersForConsoleOnPage&&
noListenersForConsoleOnWorker){for(let arg of message.args())arg.dispose().catch(debugError);return}noListenersForConsoleOnPage||
this.emit("console",message)}),this.emit("workercreated",worker)}session.on(CDPSessionEvent.Ready,this.#onAttachedToTarget)};async#initialize(){
try{await Promise.all([this.#frameManager.initialize(this.#primaryTargetClient),this.#primaryTargetClient.send(
"Performance.enable"),this.#primaryTargetClient.send("Log.enable"),this.#webmcp.initialize()])}catch(err){if(isErrorLike(
err)&&isTargetClosedError(err))debugError(err);else throw err}}async resize(params){let windowId=await this.windowId();
await this.#primaryTargetClient.send("Browser.setContentsSize",{windowId:Number(windowId),width:params.contentWidth,
height:params.contentHeight})}async windowId(){let{windowId}=await this.#primaryTargetClient.send("Browser.get\
WindowForTarget");return windowId.toString()}async#onFileChooser(event){let env_1={stack:[],error:void 0,hasError:!1};
try{if(!this.#fileChooserDeferreds.size)return;let frame=this.#frameManager.frame(event.frameId);assert(frame,
"This should never happen.");let handle=__addDisposableResource12(env_1,await frame.worlds[MAIN_WORLD].adoptBackendNode(
event.backendNodeId),!1),fileChooser=new FileChooser(handle.move(),event.mode!=="selectSingle");for(let promise of this.#fileChooserDeferreds)
promise.resolve(fileChooser);this.#fileChooserDeferreds.clear()}catch(e_1){env_1.error=e_1,env_1.hasError=!0}finally{
__disposeResources12(env_1)}}_client(){return this.#primaryTargetClient}_isUrlAllowed(url){return this.#targetManager.
isUrlAllowed(url)}isServiceWorkerBypassed(){return this.#serviceWorkerBypassed}isDragInterceptionEnabled(){return this.#userDragInterceptionEnabled}isJavaScriptEnabled(){
return this.#emulationManager.javascriptEnabled}async openDevTools(){let pageTargetId=this.target()._targetId,
browser=this.browser(),devtoolsTargetId=await browser._hasDevToolsTarget(this.target()._targetId);return devtoolsTargetId?
await browser._getDevToolsTargetPage(devtoolsTargetId):await browser._createDevToolsPage(pageTargetId)}async hasDevTools(){
return!!await this.browser()._hasDevToolsTarget(this.target()._targetId)}async waitForFileChooser(options={}){
let needsEnable=this.#fileChooserDeferreds.size===0,{timeout:timeout2=this._timeoutSettings.timeout()}=options,
deferred=Deferred.create({message:`Waiting for \`FileChooser\` failed: ${timeout2}ms exceeded`,timeout:timeout2});
options.signal&&options.signal.addEventListener("abort",()=>{deferred.reject(options.signal?.reason)},{once:!0}),
this.#fileChooserDeferreds.add(deferred);let enablePromise;needsEnable&&(enablePromise=this.#primaryTargetClient.
send("Page.setInterceptFileChooserDialog",{enabled:!0}));try{let[result]=await Promise.all([deferred.valueOrThrow(),
enablePromise]);return result}catch(error){throw this.#fileChooserDeferreds.delete(deferred),error}}async setGeolocation(options){
return await this.#emulationManager.setGeolocation(options)}target(){return this.#primaryTarget}browser(){return this.#primaryTarget.
browser()}browserContext(){return this.#primaryTarget.browserContext()}#onTargetCrashed(){this.emit("error",new Error(
"Page crashed!"))}#onLogEntryAdded(event){let{level,text,args,source:source2,url,lineNumber,stackTrace}=event.
entry;args&&args.map(arg=>{releaseObject(this.#primaryTargetClient,arg)}),source2!=="worker"&&this.emit("conso\
le",new ConsoleMessage(convertConsoleMessageLevel(level),text,[],[{url,lineNumber}],void 0,stackTrace,this.#primaryTarget.
_targetId))}mainFrame(){return this.#frameManager.mainFrame()}get keyboard(){return this.#keyboard}get touchscreen(){
return this.#touchscreen}get coverage(){return this.#coverage}get tracing(){return this.#tracing}get webmcp(){
return this.#webmcp}frames(){return this.#frameManager.frames()}workers(){return Array.from(this.#workers.values())}async setRequestInterception(value){
return await this.#frameManager.networkManager.setRequestInterception(value)}async setBypassServiceWorker(bypass){
return this.#serviceWorkerBypassed=bypass,await this.#primaryTargetClient.send("Network.setBypassServiceWorker",
{bypass})}async setDragInterception(enabled){return this.#userDragInterceptionEnabled=enabled,await this.#primaryTargetClient.
send("Input.setInterceptDrags",{enabled})}async setOfflineMode(enabled){return await this.#frameManager.networkManager.
setOfflineMode(enabled)}async emulateNetworkConditions(networkConditions){return await this.#frameManager.networkManager.
emulateNetworkConditions(networkConditions)}async emulateFocusedPage(enabled){return await this.#emulationManager.
emulateFocus(enabled)}setDefaultNavigationTimeout(timeout2){this._timeoutSettings.setDefaultNavigationTimeout(
timeout2)}setDefaultTimeout(timeout2){this._timeoutSettings.setDefaultTimeout(timeout2)}getDefaultTimeout(){return this.
_timeoutSettings.timeout()}getDefaultNavigationTimeout(){return this._timeoutSettings.navigationTimeout()}async queryObjects(prototypeHandle){
assert(!prototypeHandle.disposed,"Prototype JSHandle is disposed!"),assert(prototypeHandle.id,"Prototype JSHan\
dle must not be referencing primitive value");let response=await this.mainFrame().client.send("Runtime.queryOb\
jects",{prototypeObjectId:prototypeHandle.id});return this.mainFrame().mainRealm().createCdpHandle(response.objects)}async cookies(...urls){
let originalCookies=(await this.#primaryTargetClient.send("Network.getCookies",{urls:urls.length?urls:[this.url()]})).
cookies,unsupportedCookieAttributes=["sourcePort"],filterUnsupportedAttributes=cookie=>{for(let attr of unsupportedCookieAttributes)
delete cookie[attr];return cookie};return originalCookies.map(filterUnsupportedAttributes).map(cookie=>({...cookie,
partitionKey:cookie.partitionKey?cookie.partitionKey.topLevelSite:void 0,sameParty:!1}))}async deleteCookie(...cookies){
let pageURL=this.url();for(let cookie of cookies){let item={...cookie,partitionKey:convertCookiesPartitionKeyFromPuppeteerToCdp(
cookie.partitionKey)};if(!cookie.url&&pageURL.startsWith("http")&&(item.url=pageURL),await this.#primaryTargetClient.
send("Network.deleteCookies",item),pageURL.startsWith("http")&&!item.partitionKey){let url=new URL(pageURL);await this.#primaryTargetClient.
send("Network.deleteCookies",{...item,partitionKey:{topLevelSite:url.origin.replace(`:${url.port}`,""),hasCrossSiteAncestor:!1}})}}}async setCookie(...cookies){
let pageURL=this.url(),startsWithHTTP=pageURL.startsWith("http"),items=cookies.map(cookie=>{let item=Object.assign(
{},cookie);return!item.url&&startsWithHTTP&&(item.url=pageURL),assert(item.url!=="about:blank",`Blank page can\
 not have cookie "${item.name}"`),assert(!String.prototype.startsWith.call(item.url||"","data:"),`Data URL pag\
e can not have cookie "${item.name}"`),item});await this.deleteCookie(...items),items.length&&await this.#primaryTargetClient.
send("Network.setCookies",{cookies:items.map(cookieParam=>({...cookieParam,partitionKey:convertCookiesPartitionKeyFromPuppeteerToCdp(
cookieParam.partitionKey),sameSite:convertSameSiteFromPuppeteerToCdp(cookieParam.sameSite)}))})}async exposeFunction(name,pptrFunction){
if(this.#bindings.has(name))throw new Error(`Failed to add page binding with name ${name}: window['${name}'] a\
lready exists!`);let source2=pageBindingInitString("exposedFun",name),binding;typeof pptrFunction==="function"?
binding=new Binding(name,pptrFunction,source2):binding=new Binding(name,pptrFunction.default,source2),this.#bindings.
set(name,binding);let[{identifier}]=await Promise.all([this.#frameManager.evaluateOnNewDocument(source2),this.#frameManager.
addExposedFunctionBinding(binding)]);this.#exposedFunctions.set(name,identifier)}async removeExposedFunction(name){
let exposedFunctionId=this.#exposedFunctions.get(name);if(!exposedFunctionId)throw new Error(`Function with na\
me "${name}" does not exist`);let binding=this.#bindings.get(name);this.#exposedFunctions.delete(name),this.#bindings.
delete(name),await Promise.all([this.#frameManager.removeScriptToEvaluateOnNewDocument(exposedFunctionId),this.#frameManager.
removeExposedFunctionBinding(binding)])}async authenticate(credentials){return await this.#frameManager.networkManager.
authenticate(credentials)}async setExtraHTTPHeaders(headers){return await this.#frameManager.networkManager.setExtraHTTPHeaders(
headers)}async setUserAgent(userAgentOrOptions,userAgentMetadata){if(typeof userAgentOrOptions=="string")return await this.#frameManager.
networkManager.setUserAgent(userAgentOrOptions,userAgentMetadata);{let userAgent=userAgentOrOptions.userAgent??
await this.browser().userAgent();return await this.#frameManager.networkManager.setUserAgent(userAgent,userAgentOrOptions.
userAgentMetadata,userAgentOrOptions.platform)}}async metrics(){let response=await this.#primaryTargetClient.send(
"Performance.getMetrics");return this.#buildMetricsObject(response.metrics)}async captureHeapSnapshot(options){
let{createWriteStream}=environment.value.fs,stream=createWriteStream(options.path),streamPromise=new Promise((resolve,reject)=>{
stream.on("error",reject),stream.on("finish",resolve)}),client=this.#primaryTargetClient;await client.send("He\
apProfiler.enable"),await client.send("HeapProfiler.collectGarbage");let handler=event=>{stream.write(event.chunk)};
client.on("HeapProfiler.addHeapSnapshotChunk",handler);try{await client.send("HeapProfiler.takeHeapSnapshot",{
reportProgress:!1})}finally{client.off("HeapProfiler.addHeapSnapshotChunk",handler),await client.send("HeapPro\
filer.disable")}stream.end(),await streamPromise}#emitMetrics(event){this.emit("metrics",{title:event.title,metrics:this.#buildMetricsObject(
event.metrics)})}#buildMetricsObject(metrics){let result={};for(let metric of metrics||[])supportedMetrics.has(
metric.name)&&(result[metric.name]=metric.value);return result}#handleException(exception){this.emit("pageerro\
r",createClientError(exception.exceptionDetails))}#onConsoleAPI(world,event,values){values||(values=event.args.
map(arg=>world.createCdpHandle(arg)));let hasPageConsoleListeners=this.listenerCount("console")>0,hasWorkerConsoleListeners=world.
environment instanceof WebWorker&&world.environment.listenerCount(WebWorkerEvent.Console)>0;if(!hasPageConsoleListeners){
if(!hasWorkerConsoleListeners)for(let value of values)value.dispose().catch(debugError);return}let targetId;world.
environment.client instanceof CdpCDPSession&&(targetId=world.environment.client.target()._targetId),this.emit(
"console",createConsoleMessage(event,values,targetId))}async#onBindingCalled(world,event){let payload;try{payload=
JSON.parse(event.payload)}catch{return}let{type,name,seq,args,isTrivial}=payload;if(type!=="exposedFun")return;
let context2=world.context;if(!context2)return;await this.#bindings.get(name)?.run(context2,seq,args,isTrivial)}#onDialog(event){
let type=validateDialogType(event.type),dialog=new CdpDialog(this.#primaryTargetClient,type,event.message,event.
defaultPrompt);this.emit("dialog",dialog)}async reload(options){let[result]=await Promise.all([this.waitForNavigation(
{...options,ignoreSameDocumentNavigation:!0}),this.#primaryTargetClient.send("Page.reload",{ignoreCache:options?.
ignoreCache??!1})]);return result}async createCDPSession(){return await this.target().createCDPSession()}async goBack(options={}){
return await this.#go(-1,options)}async goForward(options={}){return await this.#go(1,options)}async#go(delta,options){
let history=await this.#primaryTargetClient.send("Page.getNavigationHistory"),entry=history.entries[history.currentIndex+
delta];if(!entry)throw new Error("History entry to navigate to not found.");return(await Promise.all([this.waitForNavigation(
options),this.#primaryTargetClient.send("Page.navigateToHistoryEntry",{entryId:entry.id})]))[0]}async bringToFront(){
await this.#primaryTargetClient.send("Page.bringToFront")}async setJavaScriptEnabled(enabled){return await this.#emulationManager.
setJavaScriptEnabled(enabled)}async setBypassCSP(enabled){await this.#primaryTargetClient.send("Page.setBypass\
CSP",{enabled})}async triggerExtensionAction(extension){return await extension.triggerAction(this)}async emulateMediaType(type){
return await this.#emulationManager.emulateMediaType(type)}async emulateCPUThrottling(factor){return await this.#emulationManager.
emulateCPUThrottling(factor)}async emulateMediaFeatures(features){return await this.#emulationManager.emulateMediaFeatures(
features)}async emulateTimezone(timezoneId){return await this.#emulationManager.emulateTimezone(timezoneId)}async emulateIdleState(overrides){
return await this.#emulationManager.emulateIdleState(overrides)}async emulateVisionDeficiency(type){return await this.#emulationManager.
emulateVisionDeficiency(type)}async setViewport(viewport){let needsReload=await this.#emulationManager.emulateViewport(
viewport);this.#viewport=viewport,needsReload&&await this.reload()}viewport(){return this.#viewport}async evaluateOnNewDocument(pageFunction,...args){
let source2=evaluationString(pageFunction,...args);return await this.#frameManager.evaluateOnNewDocument(source2)}async removeScriptToEvaluateOnNewDocument(identifier){
return await this.#frameManager.removeScriptToEvaluateOnNewDocument(identifier)}async setCacheEnabled(enabled=!0){
await this.#frameManager.networkManager.setCacheEnabled(enabled)}async _screenshot(options){let env_2={stack:[],
error:void 0,hasError:!1};try{let{fromSurface,omitBackground,optimizeForSpeed,quality,clip:userClip,type,captureBeyondViewport}=options,
stack=__addDisposableResource12(env_2,new AsyncDisposableStack,!0);omitBackground&&(type==="png"||type==="webp")&&
(await this.#emulationManager.setTransparentBackgroundColor(),stack.defer(async()=>{await this.#emulationManager.
resetDefaultBackgroundColor().catch(debugError)}));let clip=userClip;if(clip&&!captureBeyondViewport){let viewport=await this.
mainFrame().isolatedRealm().evaluate(()=>{let{height,pageLeft:x2,pageTop:y,width}=window.visualViewport;return{
x:x2,y,height,width}});clip=getIntersectionRect(clip,viewport)}let{data}=await this.#primaryTargetClient.send(
"Page.captureScreenshot",{format:type,optimizeForSpeed,fromSurface,...quality!==void 0?{quality:Math.round(quality)}:
{},...clip?{clip:{...clip,scale:clip.scale??1}}:{},captureBeyondViewport});return data}catch(e_2){env_2.error=
e_2,env_2.hasError=!0}finally{let result_1=__disposeResources12(env_2);result_1&&await result_1}}async createPDFStream(options={}){
let{timeout:ms=this._timeoutSettings.timeout()}=options,{landscape,displayHeaderFooter,headerTemplate,footerTemplate,
printBackground,scale,width:paperWidth,height:paperHeight,margin,pageRanges,preferCSSPageSize,omitBackground,tagged:generateTaggedPDF,
outline:generateDocumentOutline,waitForFonts}=parsePDFOptions(options);omitBackground&&await this.#emulationManager.
setTransparentBackgroundColor(),waitForFonts&&await firstValueFrom(from(this.mainFrame().isolatedRealm().evaluate(
()=>document.fonts.ready)).pipe(raceWith(timeout(ms))));let printCommandPromise=this.#primaryTargetClient.send(
"Page.printToPDF",{transferMode:"ReturnAsStream",landscape,displayHeaderFooter,headerTemplate,footerTemplate,printBackground,
scale,paperWidth,paperHeight,marginTop:margin.top,marginBottom:margin.bottom,marginLeft:margin.left,marginRight:margin.
right,pageRanges,preferCSSPageSize,generateTaggedPDF,generateDocumentOutline}),result=await firstValueFrom(from(
printCommandPromise).pipe(raceWith(timeout(ms))));return omitBackground&&await this.#emulationManager.resetDefaultBackgroundColor(),
assert(result.stream,"`stream` is missing from `Page.printToPDF"),await getReadableFromProtocolStream(this.#primaryTargetClient,
result.stream)}async pdf(options={}){let{path=void 0}=options,readable=await this.createPDFStream(options),typedArray=await getReadableAsTypedArray(
readable,path);return assert(typedArray,"Could not create typed array"),typedArray}async close(options={runBeforeUnload:void 0}){
let env_3={stack:[],error:void 0,hasError:!1};try{let _guard=__addDisposableResource12(env_3,await this.browserContext().
waitForScreenshotOperations(),!1),connection=this.#primaryTargetClient.connection();assert(connection,"Connect\
ion closed. Most likely the page has been closed."),!!options.runBeforeUnload?await this.#primaryTargetClient.
send("Page.close"):(await connection.send("Target.closeTarget",{targetId:this.#primaryTarget._targetId}),await this.#tabTarget.
_isClosedDeferred.valueOrThrow())}catch(e_3){env_3.error=e_3,env_3.hasError=!0}finally{__disposeResources12(env_3)}}isClosed(){
return this.#closed}get mouse(){return this.#mouse}async waitForDevicePrompt(options={}){return await this.mainFrame().
waitForDevicePrompt(options)}get bluetooth(){return this.#cdpBluetoothEmulation}extensionRealms(){return this.
mainFrame().extensionRealms()}},supportedMetrics=new Set(["Timestamp","Documents","Frames","JSEventListeners",
"Nodes","LayoutCount","RecalcStyleCount","LayoutDuration","RecalcStyleDuration","ScriptDuration","TaskDuration",
"JSHeapUsedSize","JSHeapTotalSize"]);function getIntersectionRect(clip,viewport){let x2=Math.max(clip.x,viewport.
x),y=Math.max(clip.y,viewport.y);return{x:x2,y,width:Math.max(Math.min(clip.x+clip.width,viewport.x+viewport.width)-
x2,0),height:Math.max(Math.min(clip.y+clip.height,viewport.y+viewport.height)-y,0)}}function convertCookiesPartitionKeyFromPuppeteerToCdp(partitionKey){
if(partitionKey!==void 0)return typeof partitionKey=="string"?{topLevelSite:partitionKey,hasCrossSiteAncestor:!1}:
{topLevelSite:partitionKey.sourceOrigin,hasCrossSiteAncestor:partitionKey.hasCrossSiteAncestor??!1}}var __addDisposableResource13=function(env,value,async2){if(value!=null){if(typeof value!="object"&&typeof value!=
"function")throw new TypeError("Object expected.");var dispose,inner;if(async2){if(!Symbol.asyncDispose)throw new TypeError(
"Symbol.asyncDispose is not defined.");dispose=value[Symbol.asyncDispose]}if(dispose===void 0){if(!Symbol.dispose)
throw new TypeError("Symbol.dispose is not defined.");dispose=value[Symbol.dispose],async2&&(inner=dispose)}if(typeof dispose!=
"function")throw new TypeError("Object not disposable.");inner&&(dispose=function(){try{inner.call(this)}catch(e){
return Promise.reject(e)}}),env.stack.push({value,dispose,async:async2})}else async2&&env.stack.push({async:!0});
return value},__disposeResources13=(function(SuppressedError3){return function(env){function fail(e){env.error=
env.hasError?new SuppressedError3(e,env.error,"An error was suppressed during disposal."):e,env.hasError=!0}var r,
s=0;function next(){for(;r=env.stack.pop();)try{if(!r.async&&s===1)return s=0,env.stack.push(r),Promise.resolve().
then(next);if(r.dispose){var result=r.dispose.call(r.value);if(r.async)return s|=2,Promise.resolve(result).then(
next,function(e){return fail(e),next()})}else s|=1}catch(e){fail(e)}if(s===1)return env.hasError?Promise.reject(
env.error):Promise.resolve();if(env.hasError)throw env.error}return next()}})(typeof SuppressedError=="functio\
n"?SuppressedError:function(error,suppressed,message){var e=new Error(message);return e.name="SuppressedError",
e.error=error,e.suppressed=suppressed,e}),CdpBrowserContext=class extends BrowserContext{#connection;#browser;#id;constructor(connection,browser,contextId){
super(),this.#connection=connection,this.#browser=browser,this.#id=contextId}get id(){return this.#id}targets(){
return this.#browser.targets().filter(target=>target.browserContext()===this)}async pages(includeAll=!1){return(await Promise.
all(this.targets().filter(target=>target.type()==="page"||(target.type()==="other"||includeAll)&&this.#browser.
_getIsPageTargetCallback()?.(target)).map(target=>target.page()))).filter(page=>!!page)}async overridePermissions(origin,permissions){
let protocolPermissions=permissions.map(permission=>{let protocolPermission=WEB_PERMISSION_TO_PROTOCOL_PERMISSION.
get(permission);if(!protocolPermission)throw new Error("Unknown permission: "+permission);return protocolPermission});
await this.#connection.send("Browser.grantPermissions",{origin,browserContextId:this.#id||void 0,permissions:protocolPermissions})}async setPermission(origin,...permissions){
await Promise.all(permissions.map(async permission=>{let protocolPermission={name:permission.permission.name,userVisibleOnly:permission.
permission.userVisibleOnly,sysex:permission.permission.sysex,allowWithoutSanitization:permission.permission.allowWithoutSanitization,
panTiltZoom:permission.permission.panTiltZoom};await this.#connection.send("Browser.setPermission",{origin:origin===
"*"?void 0:origin,browserContextId:this.#id||void 0,permission:protocolPermission,setting:permission.state})}))}async clearPermissionOverrides(){
await this.#connection.send("Browser.resetPermissions",{browserContextId:this.#id||void 0})}async newPage(options){
let env_1={stack:[],error:void 0,hasError:!1};try{let _guard=__addDisposableResource13(env_1,await this.waitForScreenshotOperations(),
!1);return await this.#browser._createPageInContext(this.#id,options)}catch(e_1){env_1.error=e_1,env_1.hasError=
!0}finally{__disposeResources13(env_1)}}browser(){return this.#browser}async close(){assert(this.#id,"Default \
BrowserContext cannot be closed!"),await this.#browser._disposeContext(this.#id)}async cookies(){let{cookies}=await this.#connection.
send("Storage.getCookies",{browserContextId:this.#id});return cookies.map(cookie=>({...cookie,partitionKey:cookie.
partitionKey?{sourceOrigin:cookie.partitionKey.topLevelSite,hasCrossSiteAncestor:cookie.partitionKey.hasCrossSiteAncestor}:
void 0,sameParty:!1}))}async setCookie(...cookies){return await this.#connection.send("Storage.setCookies",{browserContextId:this.#id,
cookies:cookies.map(cookie=>({...cookie,partitionKey:convertCookiesPartitionKeyFromPuppeteerToCdp(cookie.partitionKey),
sameSite:convertSameSiteFromPuppeteerToCdp(cookie.sameSite)}))})}async setDownloadBehavior(downloadBehavior){await this.#connection.
send("Browser.setDownloadBehavior",{behavior:downloadBehavior.policy,downloadPath:downloadBehavior.downloadPath,
browserContextId:this.#id})}};var CdpExtension=class extends Extension{#browser;constructor(id,version,name,path,enabled,browser){super(id,version,
name,path,enabled),this.#browser=browser}async workers(){let extensionWorkers=this.#browser.targets().filter(target=>{
let targetUrl=target.url();return target.type()==="service_worker"&&targetUrl.startsWith("chrome-extension://"+
this.id)}),workers=[];for(let target of extensionWorkers)try{let worker=await target.worker();worker&&workers.
push(worker)}catch(err){if(this.#canIgnoreError(err)){debugError(err);continue}throw err}return workers}async pages(){
let extensionPages=this.#browser.targets().filter(target=>{let targetUrl=target.url();return(target.type()==="\
page"||target.type()==="background_page")&&targetUrl.startsWith("chrome-extension://"+this.id)});return(await Promise.
all(extensionPages.map(async target=>{try{return await target.asPage()}catch(err){if(this.#canIgnoreError(err))
return debugError(err),null;throw err}}))).filter(page=>page!==null)}async triggerAction(page){await this.#browser.
_connection.send("Extensions.triggerAction",{id:this.id,targetId:page._tabId})}#canIgnoreError(error){return isErrorLike(
error)&&(isTargetClosedError(error)||error.message.includes("No target with given id found"))}};var InitializationStatus;(function(InitializationStatus2){InitializationStatus2.SUCCESS="success",InitializationStatus2.
ABORTED="aborted"})(InitializationStatus||(InitializationStatus={}));var CdpTarget=class extends Target{#browserContext;#session;#targetInfo;#targetManager;#sessionFactory;#childTargets=new Set;_initializedDeferred=Deferred.
create();_isClosedDeferred=Deferred.create();_targetId;_asPagePromise;pagePromise;constructor(targetInfo,session,browserContext,targetManager,sessionFactory){
super(),this.#session=session,this.#targetManager=targetManager,this.#targetInfo=targetInfo,this.#browserContext=
browserContext,this._targetId=targetInfo.targetId,this.#sessionFactory=sessionFactory,this.#session&&this.#session.
setTarget(this)}async asPage(){if(this.pagePromise){let page=await this.pagePromise;if(page)return page}if(!this.
_asPagePromise){let session=this._session();this._asPagePromise=(session?Promise.resolve(session):this._sessionFactory()(
!1)).then(client=>CdpPage._create(client,this,null))}return await this._asPagePromise??null}_subtype(){return this.#targetInfo.
subtype}_session(){return this.#session}_addChildTarget(target){this.#childTargets.add(target)}_removeChildTarget(target){
this.#childTargets.delete(target)}_childTargets(){return this.#childTargets}_sessionFactory(){if(!this.#sessionFactory)
throw new Error("sessionFactory is not initialized");return this.#sessionFactory}createCDPSession(){if(!this.#sessionFactory)
throw new Error("sessionFactory is not initialized");return this.#sessionFactory(!1).then(session=>(session.setTarget(
this),session))}url(){return this.#targetInfo.url}type(){switch(this.#targetInfo.type){case"page":return TargetType.
PAGE;case"background_page":return TargetType.BACKGROUND_PAGE;case"service_worker":return TargetType.SERVICE_WORKER;case"\
shared_worker":return TargetType.SHARED_WORKER;case"browser":return TargetType.BROWSER;case"webview":return TargetType.
WEBVIEW;case"tab":return TargetType.TAB;default:return TargetType.OTHER}}_targetManager(){if(!this.#targetManager)
throw new Error("targetManager is not initialized");return this.#targetManager}_getTargetInfo(){return this.#targetInfo}browser(){
if(!this.#browserContext)throw new Error("browserContext is not initialized");return this.#browserContext.browser()}browserContext(){
if(!this.#browserContext)throw new Error("browserContext is not initialized");return this.#browserContext}opener(){
let{openerId}=this.#targetInfo;if(openerId)return this.browser().targets().find(target=>target._targetId===openerId)}_targetInfoChanged(targetInfo){
this.#targetInfo=targetInfo,this._checkIfInitialized()}_initialize(){this._initializedDeferred.resolve(InitializationStatus.
SUCCESS)}_isTargetExposed(){return this.type()!==TargetType.TAB&&!this._subtype()}_checkIfInitialized(){this._initializedDeferred.
resolved()||this._initializedDeferred.resolve(InitializationStatus.SUCCESS)}},PageTarget=class _PageTarget extends CdpTarget{#defaultViewport;constructor(targetInfo,session,browserContext,targetManager,sessionFactory,defaultViewport){
super(targetInfo,session,browserContext,targetManager,sessionFactory),this.#defaultViewport=defaultViewport??void 0}_initialize(){
this._initializedDeferred.valueOrThrow().then(async result=>{if(result===InitializationStatus.ABORTED)return;let opener=this.
opener();if(!(opener instanceof _PageTarget))return;if(!opener||!opener.pagePromise||this.type()!=="page")return!0;
let openerPage=await opener.pagePromise;if(!openerPage.listenerCount("popup"))return!0;let popupPage=await this.
page();return openerPage.emit("popup",popupPage),!0}).catch(debugError),this._checkIfInitialized()}async page(){
if(!this.pagePromise){let session=this._session();this.pagePromise=(session?Promise.resolve(session):this._sessionFactory()(
!1)).then(client=>CdpPage._create(client,this,this.#defaultViewport??null))}return await this.pagePromise??null}_checkIfInitialized(){
this._initializedDeferred.resolved()||this._getTargetInfo().url!==""&&this._initializedDeferred.resolve(InitializationStatus.
SUCCESS)}},DevToolsTarget=class extends PageTarget{},WorkerTarget=class extends CdpTarget{#workerPromise;async worker(){
if(!this.#workerPromise){let session=this._session();this.#workerPromise=(session?Promise.resolve(session):this.
_sessionFactory()(!1)).then(client=>new CdpWebWorker(client,this._getTargetInfo().url,this._targetId,this.type(),
()=>{},void 0))}return await this.#workerPromise}},OtherTarget=class extends CdpTarget{};var Pe=Object.defineProperty,a=(e,t)=>Pe(e,"name",{value:t,configurable:!0}),P=class{type=3;name="";prefix="";value="";suffix="";modifier=3;constructor(t,r,n,c,l,f){
this.type=t,this.name=r,this.prefix=n,this.value=c,this.suffix=l,this.modifier=f}hasCustomName(){return this.name!==
""&&typeof this.name!="number"}};a(P,"Part");var Re=/[$_\p{ID_Start}]/u,Ee=/[$_\u200C\u200D\p{ID_Continue}]/u,
v=".*";function Oe(e,t){return(t?/^[\x00-\xFF]*$/:/^[\x00-\x7F]*$/).test(e)}a(Oe,"isASCII");function D(e,t=!1){
let r=[],n=0;for(;n<e.length;){let c=e[n],l=a(function(f){if(!t)throw new TypeError(f);r.push({type:"INVALID_C\
HAR",index:n,value:e[n++]})},"ErrorOrInvalid");if(c==="*"){r.push({type:"ASTERISK",index:n,value:e[n++]});continue}
if(c==="+"||c==="?"){r.push({type:"OTHER_MODIFIER",index:n,value:e[n++]});continue}if(c==="\\"){r.push({type:"\
ESCAPED_CHAR",index:n++,value:e[n++]});continue}if(c==="{"){r.push({type:"OPEN",index:n,value:e[n++]});continue}
if(c==="}"){r.push({type:"CLOSE",index:n,value:e[n++]});continue}if(c===":"){let f="",s=n+1;for(;s<e.length;){
let i=e.substr(s,1);if(s===n+1&&Re.test(i)||s!==n+1&&Ee.test(i)){f+=e[s++];continue}break}if(!f){l(`Missing pa\
rameter name at ${n}`);continue}r.push({type:"NAME",index:n,value:f}),n=s;continue}if(c==="("){let f=1,s="",i=n+
1,o=!1;if(e[i]==="?"){l(`Pattern cannot start with "?" at ${i}`);continue}for(;i<e.length;){if(!Oe(e[i],!1)){l(
`Invalid character '${e[i]}' at ${i}.`),o=!0;break}if(e[i]==="\\"){s+=e[i++]+e[i++];continue}if(e[i]===")"){if(f--,
f===0){i++;break}}else if(e[i]==="("&&(f++,e[i+1]!=="?")){l(`Capturing groups are not allowed at ${i}`),o=!0;break}
s+=e[i++]}if(o)continue;if(f){l(`Unbalanced pattern at ${n}`);continue}if(!s){l(`Missing pattern at ${n}`);continue}
r.push({type:"REGEX",index:n,value:s}),n=i;continue}r.push({type:"CHAR",index:n,value:e[n++]})}return r.push({
type:"END",index:n,value:""}),r}a(D,"lexer");function F(e,t={}){let r=D(e);t.delimiter??="/#?",t.prefixes??=".\
/";let n=`[^${x(t.delimiter)}]+?`,c=[],l=0,f=0,s="",i=new Set,o=a(u=>{if(f<r.length&&r[f].type===u)return r[f++].
value},"tryConsume"),h=a(()=>o("OTHER_MODIFIER")??o("ASTERISK"),"tryConsumeModifier"),p=a(u=>{let d=o(u);if(d!==
void 0)return d;let{type:g,index:y}=r[f];throw new TypeError(`Unexpected ${g} at ${y}, expected ${u}`)},"mustC\
onsume"),A=a(()=>{let u="",d;for(;d=o("CHAR")??o("ESCAPED_CHAR");)u+=d;return u},"consumeText"),xe=a(u=>u,"Def\
aultEncodePart"),N=t.encodePart||xe,H="",$=a(u=>{H+=u},"appendToPendingFixedValue"),M=a(()=>{H.length&&(c.push(
new P(3,"","",N(H),"",3)),H="")},"maybeAddPartFromPendingFixedValue"),X=a((u,d,g,y,Z)=>{let m=3;switch(Z){case"\
?":m=1;break;case"*":m=0;break;case"+":m=2;break}if(!d&&!g&&m===3){$(u);return}if(M(),!d&&!g){if(!u)return;c.push(
new P(3,"","",N(u),"",m));return}let S;g?g==="*"?S=v:S=g:S=n;let k=2;S===n?(k=1,S=""):S===v&&(k=0,S="");let E;
if(d?E=d:g&&(E=l++),i.has(E))throw new TypeError(`Duplicate name '${E}'.`);i.add(E),c.push(new P(k,E,N(u),S,N(
y),m))},"addPart");for(;f<r.length;){let u=o("CHAR"),d=o("NAME"),g=o("REGEX");if(!d&&!g&&(g=o("ASTERISK")),d||
g){let m=u??"";t.prefixes.indexOf(m)===-1&&($(m),m=""),M();let S=h();X(m,d,g,"",S);continue}let y=u??o("ESCAPE\
D_CHAR");if(y){$(y);continue}if(o("OPEN")){let m=A(),S=o("NAME"),k=o("REGEX");!S&&!k&&(k=o("ASTERISK"));let E=A();
p("CLOSE");let be=h();X(m,S,k,E,be);continue}M(),p("END")}return c}a(F,"parse");function x(e){return e.replace(
/([.+*?^${}()[\]|/\\])/g,"\\$1")}a(x,"escapeString");function B(e){return e&&e.ignoreCase?"ui":"u"}a(B,"flags");
function q(e,t,r){return W(F(e,r),t,r)}a(q,"stringToRegexp");function T(e){switch(e){case 0:return"*";case 1:return"\
?";case 2:return"+";case 3:return""}}a(T,"modifierToString");function W(e,t,r={}){r.delimiter??="/#?",r.prefixes??=
"./",r.sensitive??=!1,r.strict??=!1,r.end??=!0,r.start??=!0,r.endsWith="";let n=r.start?"^":"";for(let s of e){
if(s.type===3){s.modifier===3?n+=x(s.value):n+=`(?:${x(s.value)})${T(s.modifier)}`;continue}t&&t.push(s.name);
let i=`[^${x(r.delimiter)}]+?`,o=s.value;if(s.type===1?o=i:s.type===0&&(o=v),!s.prefix.length&&!s.suffix.length){
s.modifier===3||s.modifier===1?n+=`(${o})${T(s.modifier)}`:n+=`((?:${o})${T(s.modifier)})`;continue}if(s.modifier===
3||s.modifier===1){n+=`(?:${x(s.prefix)}(${o})${x(s.suffix)})`,n+=T(s.modifier);continue}n+=`(?:${x(s.prefix)}`,
n+=`((?:${o})(?:`,n+=x(s.suffix),n+=x(s.prefix),n+=`(?:${o}))*)${x(s.suffix)})`,s.modifier===0&&(n+="?")}let c=`\
[${x(r.endsWith)}]|$`,l=`[${x(r.delimiter)}]`;if(r.end)return r.strict||(n+=`${l}?`),r.endsWith.length?n+=`(?=${c}\
)`:n+="$",new RegExp(n,B(r));r.strict||(n+=`(?:${l}(?=${c}))?`);let f=!1;if(e.length){let s=e[e.length-1];s.type===
3&&s.modifier===3&&(f=r.delimiter.indexOf(s)>-1)}return f||(n+=`(?=${l}|${c})`),new RegExp(n,B(r))}a(W,"partsT\
oRegexp");var b={delimiter:"",prefixes:"",sensitive:!0,strict:!0},J={delimiter:".",prefixes:"",sensitive:!0,strict:!0},
Q={delimiter:"/",prefixes:"/",sensitive:!0,strict:!0};function ee(e,t){return e.length?e[0]==="/"?!0:!t||e.length<
2?!1:(e[0]=="\\"||e[0]=="{")&&e[1]=="/":!1}a(ee,"isAbsolutePathname");function te(e,t){return e.startsWith(t)?
e.substring(t.length,e.length):e}a(te,"maybeStripPrefix");function ke(e,t){return e.endsWith(t)?e.substr(0,e.length-
t.length):e}a(ke,"maybeStripSuffix");function _(e){return!e||e.length<2?!1:e[0]==="["||(e[0]==="\\"||e[0]==="{")&&
e[1]==="["}a(_,"treatAsIPv6Hostname");var re=["ftp","file","http","https","ws","wss"];function U(e){if(!e)return!0;
for(let t of re)if(e.test(t))return!0;return!1}a(U,"isSpecialScheme");function ne(e,t){if(e=te(e,"#"),t||e==="")
return e;let r=new URL("https://example.com");return r.hash=e,r.hash?r.hash.substring(1,r.hash.length):""}a(ne,
"canonicalizeHash");function se(e,t){if(e=te(e,"?"),t||e==="")return e;let r=new URL("https://example.com");return r.
search=e,r.search?r.search.substring(1,r.search.length):""}a(se,"canonicalizeSearch");function ie(e,t){return t||
e===""?e:_(e)?K(e):j(e)}a(ie,"canonicalizeHostname");function ae(e,t){if(t||e==="")return e;let r=new URL("htt\
ps://example.com");return r.password=e,r.password}a(ae,"canonicalizePassword");function oe(e,t){if(t||e==="")return e;
let r=new URL("https://example.com");return r.username=e,r.username}a(oe,"canonicalizeUsername");function ce(e,t,r){
if(r||e==="")return e;if(t&&!re.includes(t))return new URL(`${t}:${e}`).pathname;let n=e[0]=="/";return e=new URL(
n?e:"/-"+e,"https://example.com").pathname,n||(e=e.substring(2,e.length)),e}a(ce,"canonicalizePathname");function le(e,t,r){
return z(t)===e&&(e=""),r||e===""?e:G(e)}a(le,"canonicalizePort");function fe(e,t){return e=ke(e,":"),t||e===""?
e:w(e)}a(fe,"canonicalizeProtocol");function z(e){switch(e){case"ws":case"http":return"80";case"wws":case"http\
s":return"443";case"ftp":return"21";default:return""}}a(z,"defaultPortForProtocol");function w(e){if(e==="")return e;
if(/^[-+.A-Za-z0-9]*$/.test(e))return e.toLowerCase();throw new TypeError(`Invalid protocol '${e}'.`)}a(w,"pro\
tocolEncodeCallback");function he(e){if(e==="")return e;let t=new URL("https://example.com");return t.username=
e,t.username}a(he,"usernameEncodeCallback");function ue(e){if(e==="")return e;let t=new URL("https://example.c\
om");return t.password=e,t.password}a(ue,"passwordEncodeCallback");function j(e){if(e==="")return e;if(/[\t\n\r #%/:<>?@[\]^\\|]/g.
test(e))throw new TypeError(`Invalid hostname '${e}'`);let t=new URL("https://example.com");return t.hostname=
e,t.hostname}a(j,"hostnameEncodeCallback");function K(e){if(e==="")return e;if(/[^0-9a-fA-F[\]:]/g.test(e))throw new TypeError(
`Invalid IPv6 hostname '${e}'`);return e.toLowerCase()}a(K,"ipv6HostnameEncodeCallback");function G(e){if(e===
""||/^[0-9]*$/.test(e)&&parseInt(e)<=65535)return e;throw new TypeError(`Invalid port '${e}'.`)}a(G,"portEncod\
eCallback");function de(e){if(e==="")return e;let t=new URL("https://example.com");return t.pathname=e[0]!=="/"?
"/-"+e:e,e[0]!=="/"?t.pathname.substring(2,t.pathname.length):t.pathname}a(de,"standardURLPathnameEncodeCallba\
ck");function pe(e){return e===""?e:new URL(`data:${e}`).pathname}a(pe,"pathURLPathnameEncodeCallback");function ge(e){
if(e==="")return e;let t=new URL("https://example.com");return t.search=e,t.search.substring(1,t.search.length)}
a(ge,"searchEncodeCallback");function me(e){if(e==="")return e;let t=new URL("https://example.com");return t.hash=
e,t.hash.substring(1,t.hash.length)}a(me,"hashEncodeCallback");var C=class{#i;#n=[];#t={};#e=0;#s=1;#l=0;#o=0;#d=0;#p=0;#g=!1;constructor(t){
this.#i=t}get result(){return this.#t}parse(){for(this.#n=D(this.#i,!0);this.#e<this.#n.length;this.#e+=this.#s){
if(this.#s=1,this.#n[this.#e].type==="END"){if(this.#o===0){this.#b(),this.#f()?this.#r(9,1):this.#h()?this.#r(
8,1):this.#r(7,0);continue}else if(this.#o===2){this.#u(5);continue}this.#r(10,0);break}if(this.#d>0)if(this.#A())
this.#d-=1;else continue;if(this.#T()){this.#d+=1;continue}switch(this.#o){case 0:this.#P()&&this.#u(1);break;case 1:
if(this.#P()){this.#C();let t=7,r=1;this.#E()?(t=2,r=3):this.#g&&(t=2),this.#r(t,r)}break;case 2:this.#S()?this.#u(
3):(this.#x()||this.#h()||this.#f())&&this.#u(5);break;case 3:this.#O()?this.#r(4,1):this.#S()&&this.#r(5,1);break;case 4:
this.#S()&&this.#r(5,1);break;case 5:this.#y()?this.#p+=1:this.#w()&&(this.#p-=1),this.#k()&&!this.#p?this.#r(
6,1):this.#x()?this.#r(7,0):this.#h()?this.#r(8,1):this.#f()&&this.#r(9,1);break;case 6:this.#x()?this.#r(7,0):
this.#h()?this.#r(8,1):this.#f()&&this.#r(9,1);break;case 7:this.#h()?this.#r(8,1):this.#f()&&this.#r(9,1);break;case 8:
this.#f()&&this.#r(9,1);break;case 9:break;case 10:break}}this.#t.hostname!==void 0&&this.#t.port===void 0&&(this.#t.
port="")}#r(t,r){switch(this.#o){case 0:break;case 1:this.#t.protocol=this.#c();break;case 2:break;case 3:this.#t.
username=this.#c();break;case 4:this.#t.password=this.#c();break;case 5:this.#t.hostname=this.#c();break;case 6:
this.#t.port=this.#c();break;case 7:this.#t.pathname=this.#c();break;case 8:this.#t.search=this.#c();break;case 9:
this.#t.hash=this.#c();break;case 10:break}this.#o!==0&&t!==10&&([1,2,3,4].includes(this.#o)&&[6,7,8,9].includes(
t)&&(this.#t.hostname??=""),[1,2,3,4,5,6].includes(this.#o)&&[8,9].includes(t)&&(this.#t.pathname??=this.#g?"/":
""),[1,2,3,4,5,6,7].includes(this.#o)&&t===9&&(this.#t.search??="")),this.#R(t,r)}#R(t,r){this.#o=t,this.#l=this.#e+
r,this.#e+=r,this.#s=0}#b(){this.#e=this.#l,this.#s=0}#u(t){this.#b(),this.#o=t}#m(t){return t<0&&(t=this.#n.length-
t),t<this.#n.length?this.#n[t]:this.#n[this.#n.length-1]}#a(t,r){let n=this.#m(t);return n.value===r&&(n.type===
"CHAR"||n.type==="ESCAPED_CHAR"||n.type==="INVALID_CHAR")}#P(){return this.#a(this.#e,":")}#E(){return this.#a(
this.#e+1,"/")&&this.#a(this.#e+2,"/")}#S(){return this.#a(this.#e,"@")}#O(){return this.#a(this.#e,":")}#k(){
return this.#a(this.#e,":")}#x(){return this.#a(this.#e,"/")}#h(){if(this.#a(this.#e,"?"))return!0;if(this.#n[this.#e].
value!=="?")return!1;let t=this.#m(this.#e-1);return t.type!=="NAME"&&t.type!=="REGEX"&&t.type!=="CLOSE"&&t.type!==
"ASTERISK"}#f(){return this.#a(this.#e,"#")}#T(){return this.#n[this.#e].type=="OPEN"}#A(){return this.#n[this.#e].
type=="CLOSE"}#y(){return this.#a(this.#e,"[")}#w(){return this.#a(this.#e,"]")}#c(){let t=this.#n[this.#e],r=this.#m(
this.#l).index;return this.#i.substring(r,t.index)}#C(){let t={};Object.assign(t,b),t.encodePart=w;let r=q(this.#c(),
void 0,t);this.#g=U(r)}};a(C,"Parser");var V=["protocol","username","password","hostname","port","pathname","s\
earch","hash"],O="*";function Se(e,t){if(typeof e!="string")throw new TypeError("parameter 1 is not of type 's\
tring'.");let r=new URL(e,t);return{protocol:r.protocol.substring(0,r.protocol.length-1),username:r.username,password:r.
password,hostname:r.hostname,port:r.port,pathname:r.pathname,search:r.search!==""?r.search.substring(1,r.search.
length):void 0,hash:r.hash!==""?r.hash.substring(1,r.hash.length):void 0}}a(Se,"extractValues");function R(e,t){
return t?I(e):e}a(R,"processBaseURLString");function L(e,t,r){let n;if(typeof t.baseURL=="string")try{n=new URL(
t.baseURL),t.protocol===void 0&&(e.protocol=R(n.protocol.substring(0,n.protocol.length-1),r)),!r&&t.protocol===
void 0&&t.hostname===void 0&&t.port===void 0&&t.username===void 0&&(e.username=R(n.username,r)),!r&&t.protocol===
void 0&&t.hostname===void 0&&t.port===void 0&&t.username===void 0&&t.password===void 0&&(e.password=R(n.password,
r)),t.protocol===void 0&&t.hostname===void 0&&(e.hostname=R(n.hostname,r)),t.protocol===void 0&&t.hostname===void 0&&
t.port===void 0&&(e.port=R(n.port,r)),t.protocol===void 0&&t.hostname===void 0&&t.port===void 0&&t.pathname===
void 0&&(e.pathname=R(n.pathname,r)),t.protocol===void 0&&t.hostname===void 0&&t.port===void 0&&t.pathname===void 0&&
t.search===void 0&&(e.search=R(n.search.substring(1,n.search.length),r)),t.protocol===void 0&&t.hostname===void 0&&
t.port===void 0&&t.pathname===void 0&&t.search===void 0&&t.hash===void 0&&(e.hash=R(n.hash.substring(1,n.hash.
length),r))}catch{throw new TypeError(`invalid baseURL '${t.baseURL}'.`)}if(typeof t.protocol=="string"&&(e.protocol=
fe(t.protocol,r)),typeof t.username=="string"&&(e.username=oe(t.username,r)),typeof t.password=="string"&&(e.password=
ae(t.password,r)),typeof t.hostname=="string"&&(e.hostname=ie(t.hostname,r)),typeof t.port=="string"&&(e.port=
le(t.port,e.protocol,r)),typeof t.pathname=="string"){if(e.pathname=t.pathname,n&&!ee(e.pathname,r)){let c=n.pathname.
lastIndexOf("/");c>=0&&(e.pathname=R(n.pathname.substring(0,c+1),r)+e.pathname)}e.pathname=ce(e.pathname,e.protocol,
r)}return typeof t.search=="string"&&(e.search=se(t.search,r)),typeof t.hash=="string"&&(e.hash=ne(t.hash,r)),
e}a(L,"applyInit");function I(e){return e.replace(/([+*?:{}()\\])/g,"\\$1")}a(I,"escapePatternString");function Te(e){
return e.replace(/([.+*?^${}()[\]|/\\])/g,"\\$1")}a(Te,"escapeRegexpString");function Ae(e,t){t.delimiter??="/\
#?",t.prefixes??="./",t.sensitive??=!1,t.strict??=!1,t.end??=!0,t.start??=!0,t.endsWith="";let r=".*",n=`[^${Te(
t.delimiter)}]+?`,c=/[$_\u200C\u200D\p{ID_Continue}]/u,l="";for(let f=0;f<e.length;++f){let s=e[f];if(s.type===
3){if(s.modifier===3){l+=I(s.value);continue}l+=`{${I(s.value)}}${T(s.modifier)}`;continue}let i=s.hasCustomName(),
o=!!s.suffix.length||!!s.prefix.length&&(s.prefix.length!==1||!t.prefixes.includes(s.prefix)),h=f>0?e[f-1]:null,
p=f<e.length-1?e[f+1]:null;if(!o&&i&&s.type===1&&s.modifier===3&&p&&!p.prefix.length&&!p.suffix.length)if(p.type===
3){let A=p.value.length>0?p.value[0]:"";o=c.test(A)}else o=!p.hasCustomName();if(!o&&!s.prefix.length&&h&&h.type===
3){let A=h.value[h.value.length-1];o=t.prefixes.includes(A)}o&&(l+="{"),l+=I(s.prefix),i&&(l+=`:${s.name}`),s.
type===2?l+=`(${s.value})`:s.type===1?i||(l+=`(${n})`):s.type===0&&(!i&&(!h||h.type===3||h.modifier!==3||o||s.
prefix!=="")?l+="*":l+=`(${r})`),s.type===1&&i&&s.suffix.length&&c.test(s.suffix[0])&&(l+="\\"),l+=I(s.suffix),
o&&(l+="}"),s.modifier!==3&&(l+=T(s.modifier))}return l}a(Ae,"partsToPattern");var Y=class{#i;#n={};#t={};#e={};#s={};#l=!1;constructor(t={},r,n){
try{let c;if(typeof r=="string"?c=r:n=r,typeof t=="string"){let i=new C(t);if(i.parse(),t=i.result,c===void 0&&
typeof t.protocol!="string")throw new TypeError("A base URL must be provided for a relative constructor string\
.");t.baseURL=c}else{if(!t||typeof t!="object")throw new TypeError("parameter 1 is not of type 'string' and ca\
nnot convert to dictionary.");if(c)throw new TypeError("parameter 1 is not of type 'string'.")}typeof n>"u"&&(n=
{ignoreCase:!1});let l={ignoreCase:n.ignoreCase===!0},f={pathname:O,protocol:O,username:O,password:O,hostname:O,
port:O,search:O,hash:O};this.#i=L(f,t,!0),z(this.#i.protocol)===this.#i.port&&(this.#i.port="");let s;for(s of V){
if(!(s in this.#i))continue;let i={},o=this.#i[s];switch(this.#t[s]=[],s){case"protocol":Object.assign(i,b),i.
encodePart=w;break;case"username":Object.assign(i,b),i.encodePart=he;break;case"password":Object.assign(i,b),i.
encodePart=ue;break;case"hostname":Object.assign(i,J),_(o)?i.encodePart=K:i.encodePart=j;break;case"port":Object.
assign(i,b),i.encodePart=G;break;case"pathname":U(this.#n.protocol)?(Object.assign(i,Q,l),i.encodePart=de):(Object.
assign(i,b,l),i.encodePart=pe);break;case"search":Object.assign(i,b,l),i.encodePart=ge;break;case"hash":Object.
assign(i,b,l),i.encodePart=me;break}try{this.#s[s]=F(o,i),this.#n[s]=W(this.#s[s],this.#t[s],i),this.#e[s]=Ae(
this.#s[s],i),this.#l=this.#l||this.#s[s].some(h=>h.type===2)}catch{throw new TypeError(`invalid ${s} pattern \
'${this.#i[s]}'.`)}}}catch(c){throw new TypeError(`Failed to construct 'URLPattern': ${c.message}`)}}get[Symbol.
toStringTag](){return"URLPattern"}test(t={},r){let n={pathname:"",protocol:"",username:"",password:"",hostname:"",
port:"",search:"",hash:""};if(typeof t!="string"&&r)throw new TypeError("parameter 1 is not of type 'string'.");
if(typeof t>"u")return!1;try{typeof t=="object"?n=L(n,t,!1):n=L(n,Se(t,r),!1)}catch{return!1}let c;for(c of V)
if(!this.#n[c].exec(n[c]))return!1;return!0}exec(t={},r){let n={pathname:"",protocol:"",username:"",password:"",
hostname:"",port:"",search:"",hash:""};if(typeof t!="string"&&r)throw new TypeError("parameter 1 is not of typ\
e 'string'.");if(typeof t>"u")return;try{typeof t=="object"?n=L(n,t,!1):n=L(n,Se(t,r),!1)}catch{return null}let c={};
r?c.inputs=[t,r]:c.inputs=[t];let l;for(l of V){let f=this.#n[l].exec(n[l]);if(!f)return null;let s={};for(let[
i,o]of this.#t[l].entries())if(typeof o=="string"||typeof o=="number"){let h=f[i+1];s[o]=h}c[l]={input:n[l]??"",
groups:s}}return c}static compareComponent(t,r,n){let c=a((i,o)=>{for(let h of["type","modifier","prefix","val\
ue","suffix"]){if(i[h]<o[h])return-1;if(i[h]!==o[h])return 1}return 0},"comparePart"),l=new P(3,"","","","",3),
f=new P(0,"","","","",3),s=a((i,o)=>{let h=0;for(;h<Math.min(i.length,o.length);++h){let p=c(i[h],o[h]);if(p)return p}
return i.length===o.length?0:c(i[h]??l,o[h]??l)},"comparePartList");return!r.#e[t]&&!n.#e[t]?0:r.#e[t]&&!n.#e[t]?
s(r.#s[t],[f]):!r.#e[t]&&n.#e[t]?s([f],n.#s[t]):s(r.#s[t],n.#s[t])}get protocol(){return this.#e.protocol}get username(){
return this.#e.username}get password(){return this.#e.password}get hostname(){return this.#e.hostname}get port(){
return this.#e.port}get pathname(){return this.#e.pathname}get search(){return this.#e.search}get hash(){return this.#e.
hash}get hasRegExpGroups(){return this.#l}};a(Y,"URLPattern");globalThis.URLPattern||(globalThis.URLPattern=Y);function isPageTargetBecomingPrimary(target,newTargetInfo){return!!target._subtype()&&!newTargetInfo.subtype}var TargetManager=class extends EventEmitter{#connection;#discoveredTargetsByTargetId=new Map;#attachedTargetsByTargetId=new Map;#attachedTargetsBySessionId=new Map;#ignoredTargets=new Set;#targetFilterCallback;#targetFactory;#attachedToTargetListenersBySession=new WeakMap;#detachedFromTargetListenersBySession=new WeakMap;#initializeDeferred=Deferred.
create();#waitForInitiallyDiscoveredTargets=!0;#discoveryFilter=[{}];#targetsIdsForInit=new Set;#initialAttachDone=!1;#blocklist=[];#allowlist=[];constructor(connection,targetFactory,targetFilterCallback,waitForInitiallyDiscoveredTargets=!0,blocklist,allowlist){
if(super(),blocklist&&allowlist)throw new Error("Cannot specify both blockList and allowList");this.#connection=
connection,this.#targetFilterCallback=targetFilterCallback,this.#targetFactory=targetFactory,this.#waitForInitiallyDiscoveredTargets=
waitForInitiallyDiscoveredTargets,this.#blocklist=this.#mapPatterns(blocklist),this.#allowlist=this.#mapPatterns(
allowlist),this.#connection.on("Target.targetCreated",this.#onTargetCreated),this.#connection.on("Target.targe\
tDestroyed",this.#onTargetDestroyed),this.#connection.on("Target.targetInfoChanged",this.#onTargetInfoChanged),
this.#connection.on(CDPSessionEvent.SessionDetached,this.#onSessionDetached),this.#setupAttachmentListeners(this.#connection)}async initialize(){
await this.#connection.send("Target.setDiscoverTargets",{discover:!0,filter:this.#discoveryFilter}),await this.#connection.
send("Target.setAutoAttach",{waitForDebuggerOnStart:!0,flatten:!0,autoAttach:!0,filter:[{type:"page",exclude:!0},
...this.#discoveryFilter]}),this.#initialAttachDone=!0,this.#finishInitializationIfReady(),await this.#initializeDeferred.
valueOrThrow()}addToIgnoreTarget(targetId){this.#ignoredTargets.add(targetId)}getChildTargets(target){return target.
_childTargets()}dispose(){this.#connection.off("Target.targetCreated",this.#onTargetCreated),this.#connection.
off("Target.targetDestroyed",this.#onTargetDestroyed),this.#connection.off("Target.targetInfoChanged",this.#onTargetInfoChanged),
this.#connection.off(CDPSessionEvent.SessionDetached,this.#onSessionDetached),this.#removeAttachmentListeners(
this.#connection)}getAvailableTargets(){return this.#attachedTargetsByTargetId}getDiscoveredTargetInfos(){return this.#discoveredTargetsByTargetId}#setupAttachmentListeners(session){
let listener=event=>{this.#onAttachedToTarget(session,event)};assert(!this.#attachedToTargetListenersBySession.
has(session)),this.#attachedToTargetListenersBySession.set(session,listener),session.on("Target.attachedToTarg\
et",listener);let detachedListener=event=>this.#onDetachedFromTarget(session,event);assert(!this.#detachedFromTargetListenersBySession.
has(session)),this.#detachedFromTargetListenersBySession.set(session,detachedListener),session.on("Target.deta\
chedFromTarget",detachedListener)}#removeAttachmentListeners(session){let listener=this.#attachedToTargetListenersBySession.
get(session);listener&&(session.off("Target.attachedToTarget",listener),this.#attachedToTargetListenersBySession.
delete(session));let detachedListener=this.#detachedFromTargetListenersBySession.get(session);detachedListener&&
(session.off("Target.detachedFromTarget",detachedListener),this.#detachedFromTargetListenersBySession.delete(session))}#silentDetach=async(session,parentSession)=>{
await session.send("Runtime.runIfWaitingForDebugger").catch(debugError),await parentSession.send("Target.detac\
hFromTarget",{sessionId:session.id()}).catch(debugError)};#getParentTarget=parentSession=>parentSession instanceof
CdpCDPSession?parentSession.target():null;#onSessionDetached=session=>{this.#removeAttachmentListeners(session)};#onTargetCreated=async event=>{
if(this.#discoveredTargetsByTargetId.set(event.targetInfo.targetId,event.targetInfo),this.emit("targetDiscover\
ed",event.targetInfo),event.targetInfo.type==="browser"&&event.targetInfo.attached){if(this.#attachedTargetsByTargetId.
has(event.targetInfo.targetId))return;let target=this.#targetFactory(event.targetInfo,void 0);target._initialize(),
this.#attachedTargetsByTargetId.set(event.targetInfo.targetId,target)}};#onTargetDestroyed=event=>{let targetInfo=this.#discoveredTargetsByTargetId.
get(event.targetId);if(this.#discoveredTargetsByTargetId.delete(event.targetId),this.#finishInitializationIfReady(
event.targetId),targetInfo?.type==="service_worker"){let target=this.#attachedTargetsByTargetId.get(event.targetId);
target&&(this.emit("targetGone",target),this.#attachedTargetsByTargetId.delete(event.targetId))}};#onTargetInfoChanged=event=>{
if(this.#discoveredTargetsByTargetId.set(event.targetInfo.targetId,event.targetInfo),this.#ignoredTargets.has(
event.targetInfo.targetId)||!event.targetInfo.attached)return;let target=this.#attachedTargetsByTargetId.get(event.
targetInfo.targetId);if(!target)return;let previousURL=target.url(),wasInitialized=target._initializedDeferred.
value()===InitializationStatus.SUCCESS;if(isPageTargetBecomingPrimary(target,event.targetInfo)){let session=target.
_session();assert(session,"Target that is being activated is missing a CDPSession."),session.parentSession()?.
emit(CDPSessionEvent.Swapped,session)}target._targetInfoChanged(event.targetInfo),wasInitialized&&previousURL!==
target.url()&&this.emit("targetChanged",{target,wasInitialized,previousURL})};#onAttachedToTarget=async(parentSession,event)=>{
let targetInfo=event.targetInfo,session=this.#connection._session(event.sessionId);if(!session)throw new Error(
`Session ${event.sessionId} was not created.`);if(!this.#connection.isAutoAttached(targetInfo.targetId))return;
if(!this.#initialAttachDone&&!this.isUrlAllowed(targetInfo.url)){await this.#silentDetach(session,parentSession);
return}if(targetInfo.type==="service_worker"){if(await this.#silentDetach(session,parentSession),this.#attachedTargetsByTargetId.
has(targetInfo.targetId)||this.#ignoredTargets.has(targetInfo.targetId)||!this.#discoveredTargetsByTargetId.has(
targetInfo.targetId))return;let target2=this.#targetFactory(targetInfo);target2._initialize(),this.#attachedTargetsByTargetId.
set(targetInfo.targetId,target2),this.emit("targetAvailable",target2);return}let target=this.#attachedTargetsByTargetId.
get(targetInfo.targetId),isExistingTarget=target!==void 0;target||(target=this.#targetFactory(targetInfo,session,
parentSession instanceof CdpCDPSession?parentSession:void 0));let parentTarget=this.#getParentTarget(parentSession);
if(this.#targetFilterCallback&&!this.#targetFilterCallback(target)){this.#ignoredTargets.add(targetInfo.targetId),
parentTarget?.type()==="tab"&&this.#finishInitializationIfReady(parentTarget._targetId),await this.#silentDetach(
session,parentSession);return}this.#waitForInitiallyDiscoveredTargets&&event.targetInfo.type==="tab"&&!this.#initialAttachDone&&
this.#targetsIdsForInit.add(event.targetInfo.targetId),this.#setupAttachmentListeners(session),isExistingTarget?
(session.setTarget(target),this.#attachedTargetsBySessionId.set(session.id(),target)):(target._initialize(),this.#attachedTargetsByTargetId.
set(targetInfo.targetId,target),this.#attachedTargetsBySessionId.set(session.id(),target)),parentTarget?._addChildTarget(
target),parentSession.emit(CDPSessionEvent.Ready,session),isExistingTarget||this.emit("targetAvailable",target),
parentTarget?.type()==="tab"&&this.#finishInitializationIfReady(parentTarget._targetId),await Promise.all([session.
send("Target.setAutoAttach",{waitForDebuggerOnStart:!0,flatten:!0,autoAttach:!0,filter:this.#discoveryFilter}),
this.#maybeSetupNetworkConditions(session),session.send("Runtime.runIfWaitingForDebugger")]).catch(debugError)};#finishInitializationIfReady(targetId){
targetId!==void 0&&this.#targetsIdsForInit.delete(targetId),this.#initialAttachDone&&this.#targetsIdsForInit.size===
0&&this.#initializeDeferred.resolve()}#onDetachedFromTarget=(parentSession,event)=>{let target=this.#attachedTargetsBySessionId.
get(event.sessionId);this.#attachedTargetsBySessionId.delete(event.sessionId),target&&(parentSession instanceof
CdpCDPSession&&parentSession.target()._removeChildTarget(target),this.#attachedTargetsByTargetId.delete(target.
_targetId),this.emit("targetGone",target))};isUrlAllowed=url=>{if(this.#blocklist.length===0&&this.#allowlist.
length===0||!url||url==="about:blank")return!0;for(let item of this.#blocklist)if(item.pattern.test(url))return!1;
if(this.#allowlist.length>0){for(let item of this.#allowlist)if(item.pattern.test(url))return!0;return!1}return!0};#mapPatterns(rules){
let result=[];for(let rule of rules??[])result.push({pattern:new Y(rule),rule});return result}#maybeSetupNetworkConditions=async session=>{
if(this.#blocklist.length===0&&this.#allowlist.length===0)return;let matchedNetworkConditions=[];for(let item of this.#blocklist)
matchedNetworkConditions.push({urlPattern:item.rule,offline:!0,latency:0,downloadThroughput:-1,uploadThroughput:-1});
if(this.#allowlist.length>0){for(let item of this.#allowlist)matchedNetworkConditions.push({urlPattern:item.rule,
offline:!1,latency:0,downloadThroughput:-1,uploadThroughput:-1});matchedNetworkConditions.push({urlPattern:"",
offline:!0,latency:0,downloadThroughput:-1,uploadThroughput:-1})}await session.send("Network.emulateNetworkCon\
ditionsByRule",{offline:this.#blocklist.length>0?!0:void 0,matchedNetworkConditions})}};function isDevToolsPageTarget(url){return url.startsWith("devtools://devtools/bundled/devtools_app.html")}var CdpBrowser=class _CdpBrowser extends Browser{protocol="\
cdp";static async _create(connection,contextIds,acceptInsecureCerts,defaultViewport,downloadBehavior,process3,closeCallback,targetFilterCallback,isPageTargetCallback,waitForInitiallyDiscoveredTargets=!0,networkEnabled=!0,issuesEnabled=!0,handleDevToolsAsPage=!1,blocklist,allowlist){
let browser=new _CdpBrowser(connection,contextIds,defaultViewport,process3,closeCallback,targetFilterCallback,
isPageTargetCallback,waitForInitiallyDiscoveredTargets,networkEnabled,issuesEnabled,handleDevToolsAsPage,blocklist,
allowlist);if(allowlist){let version=await browser.#getVersion();if(parseInt(version.product.match(/\d+/)?.[0]??
"0",10)<149)throw new Error("The allowlist option require Chrome 149 or greater.")}return acceptInsecureCerts&&
await connection.send("Security.setIgnoreCertificateErrors",{ignore:!0}),await browser._attach(downloadBehavior),
browser}#defaultViewport;#process;#connection;#closeCallback;#targetFilterCallback;#isPageTargetCallback;#defaultContext;#contexts=new Map;#networkEnabled=!0;#issuesEnabled=!0;#targetManager;#handleDevToolsAsPage=!1;#extensions=new Map;constructor(connection,contextIds,defaultViewport,process3,closeCallback,targetFilterCallback,isPageTargetCallback,waitForInitiallyDiscoveredTargets=!0,networkEnabled=!0,issuesEnabled=!0,handleDevToolsAsPage=!1,blocklist,allowlist){
super(),this.#networkEnabled=networkEnabled,this.#issuesEnabled=issuesEnabled,this.#defaultViewport=defaultViewport,
this.#process=process3,this.#connection=connection,this.#closeCallback=closeCallback||(()=>{}),this.#targetFilterCallback=
targetFilterCallback||(()=>!0),this.#handleDevToolsAsPage=handleDevToolsAsPage,this.#setIsPageTargetCallback(isPageTargetCallback),
this.#targetManager=new TargetManager(connection,this.#createTarget,this.#targetFilterCallback,waitForInitiallyDiscoveredTargets,
blocklist,allowlist),this.#defaultContext=new CdpBrowserContext(this.#connection,this);for(let contextId of contextIds)
this.#contexts.set(contextId,new CdpBrowserContext(this.#connection,this,contextId))}#emitDisconnected=()=>{this.
emit("disconnected",void 0)};async _attach(downloadBehavior){this.#connection.on(CDPSessionEvent.Disconnected,
this.#emitDisconnected),downloadBehavior&&await this.#defaultContext.setDownloadBehavior(downloadBehavior),this.#targetManager.
on("targetAvailable",this.#onAttachedToTarget),this.#targetManager.on("targetGone",this.#onDetachedFromTarget),
this.#targetManager.on("targetChanged",this.#onTargetChanged),this.#targetManager.on("targetDiscovered",this.#onTargetDiscovered),
await this.#targetManager.initialize()}_detach(){this.#connection.off(CDPSessionEvent.Disconnected,this.#emitDisconnected),
this.#targetManager.off("targetAvailable",this.#onAttachedToTarget),this.#targetManager.off("targetGone",this.#onDetachedFromTarget),
this.#targetManager.off("targetChanged",this.#onTargetChanged),this.#targetManager.off("targetDiscovered",this.#onTargetDiscovered)}process(){
return this.#process??null}_targetManager(){return this.#targetManager}#setIsPageTargetCallback(isPageTargetCallback){
this.#isPageTargetCallback=isPageTargetCallback||(target=>target.type()==="page"||target.type()==="background_\
page"||target.type()==="webview"||this.#handleDevToolsAsPage&&target.type()==="other"&&isDevToolsPageTarget(target.
url()))}_getIsPageTargetCallback(){return this.#isPageTargetCallback}async createBrowserContext(options={}){let{
proxyServer,proxyBypassList,downloadBehavior}=options,{browserContextId}=await this.#connection.send("Target.c\
reateBrowserContext",{proxyServer,proxyBypassList:proxyBypassList&&proxyBypassList.join(",")}),context2=new CdpBrowserContext(
this.#connection,this,browserContextId);return downloadBehavior&&await context2.setDownloadBehavior(downloadBehavior),
this.#contexts.set(browserContextId,context2),context2}browserContexts(){return[this.#defaultContext,...Array.
from(this.#contexts.values())]}defaultBrowserContext(){return this.#defaultContext}async _disposeContext(contextId){
contextId&&(await this.#connection.send("Target.disposeBrowserContext",{browserContextId:contextId}),this.#contexts.
delete(contextId))}#createTarget=(targetInfo,session)=>{let{browserContextId}=targetInfo,context2=browserContextId&&
this.#contexts.has(browserContextId)?this.#contexts.get(browserContextId):this.#defaultContext;if(!context2)throw new Error(
"Missing browser context");let createSession=isAutoAttachEmulated=>this.#connection._createSession(targetInfo,
isAutoAttachEmulated),otherTarget=new OtherTarget(targetInfo,session,context2,this.#targetManager,createSession);
return targetInfo.url&&isDevToolsPageTarget(targetInfo.url)?new DevToolsTarget(targetInfo,session,context2,this.#targetManager,
createSession,this.#defaultViewport??null):this.#isPageTargetCallback(otherTarget)?new PageTarget(targetInfo,session,
context2,this.#targetManager,createSession,this.#defaultViewport??null):targetInfo.type==="service_worker"||targetInfo.
type==="shared_worker"?new WorkerTarget(targetInfo,session,context2,this.#targetManager,createSession):otherTarget};#onAttachedToTarget=async target=>{
target._isTargetExposed()&&await target._initializedDeferred.valueOrThrow()===InitializationStatus.SUCCESS&&(this.
emit("targetcreated",target),target.browserContext().emit("targetcreated",target))};#onDetachedFromTarget=async target=>{
target._initializedDeferred.resolve(InitializationStatus.ABORTED),target._isClosedDeferred.resolve(),target._isTargetExposed()&&
await target._initializedDeferred.valueOrThrow()===InitializationStatus.SUCCESS&&(this.emit("targetdestroyed",
target),target.browserContext().emit("targetdestroyed",target))};#onTargetChanged=({target})=>{this.emit("targ\
etchanged",target),target.browserContext().emit("targetchanged",target)};#onTargetDiscovered=targetInfo=>{this.
emit("targetdiscovered",targetInfo)};wsEndpoint(){return this.#connection.url()}async newPage(options){return await this.#defaultContext.
newPage(options)}async _createPageInContext(contextId,options){let hasTargets=this.targets().filter(t=>t.browserContext().
id===contextId).length>0,windowBounds=options?.type==="window"?options.windowBounds:void 0,{targetId}=await this.#connection.
send("Target.createTarget",{url:"about:blank",browserContextId:contextId||void 0,left:windowBounds?.left,top:windowBounds?.
top,width:windowBounds?.width,height:windowBounds?.height,windowState:windowBounds?.windowState,newWindow:hasTargets&&
options?.type==="window"?!0:void 0,background:options?.background}),target=await this.waitForTarget(t=>t._targetId===
targetId);if(!target)throw new Error(`Missing target for page (id = ${targetId})`);if(!(await target._initializedDeferred.
valueOrThrow()===InitializationStatus.SUCCESS))throw new Error(`Failed to create target for page (id = ${targetId}\
)`);let page=await target.page();if(!page)throw new Error(`Failed to create a page for context (id = ${contextId}\
)`);return page}async _createDevToolsPage(pageTargetId){let openDevToolsResponse=await this.#connection.send("\
Target.openDevTools",{targetId:pageTargetId});return await this._getDevToolsTargetPage(openDevToolsResponse.targetId)}async _getDevToolsTargetPage(devtoolsTargetId){
let target=await this.waitForTarget(t=>t._targetId===devtoolsTargetId);if(!target)throw new Error(`Missing tar\
get for DevTools page (id = ${devtoolsTargetId})`);if(!(await target._initializedDeferred.valueOrThrow()===InitializationStatus.
SUCCESS))throw new Error(`Failed to create target for DevTools page (id = ${devtoolsTargetId})`);let page=await target.
page();if(!page)throw new Error(`Failed to create a DevTools Page for target (id = ${devtoolsTargetId})`);return page}async _hasDevToolsTarget(pageTargetId){
return(await this.#connection.send("Target.getDevToolsTarget",{targetId:pageTargetId})).targetId}async installExtension(path){
let{id}=await this.#connection.send("Extensions.loadUnpacked",{path});return this.#extensions.delete(id),id}async uninstallExtension(id){
await this.#connection.send("Extensions.uninstall",{id});let targetDestroyedPromises=[];for(let[targetId,targetInfo]of this.
_targetManager().getDiscoveredTargetInfos().entries())targetInfo.url.includes(id)&&targetInfo.type==="service_\
worker"&&(this._targetManager().addToIgnoreTarget(targetId),targetDestroyedPromises.push(new Promise(resolve=>setTimeout(
()=>{this.#connection.emit("Target.targetDestroyed",{targetId}),resolve(null)},0))));await Promise.all(targetDestroyedPromises),
this.#extensions.delete(id)}async screens(){let{screenInfos}=await this.#connection.send("Emulation.getScreenI\
nfos");return screenInfos}async addScreen(params){let{screenInfo}=await this.#connection.send("Emulation.addSc\
reen",params);return screenInfo}async removeScreen(screenId){return await this.#connection.send("Emulation.rem\
oveScreen",{screenId})}async getWindowBounds(windowId){let{bounds}=await this.#connection.send("Browser.getWin\
dowBounds",{windowId:Number(windowId)});return bounds}async setWindowBounds(windowId,windowBounds){await this.#connection.
send("Browser.setWindowBounds",{windowId:Number(windowId),bounds:windowBounds})}targets(){return Array.from(this.#targetManager.
getAvailableTargets().values()).filter(target=>target._isTargetExposed()&&target._initializedDeferred.value()===
InitializationStatus.SUCCESS)}target(){let browserTarget=this.targets().find(target=>target.type()==="browser");
if(!browserTarget)throw new Error("Browser target is not found");return browserTarget}async version(){return(await this.#getVersion()).
product}async userAgent(){return(await this.#getVersion()).userAgent}async close(){await this.#closeCallback.call(
null),await this.disconnect()}disconnect(){return this.#targetManager.dispose(),this.#connection.dispose(),this.
_detach(),Promise.resolve()}get _connection(){return this.#connection}get connected(){return!this.#connection.
_closed}#getVersion(){return this.#connection.send("Browser.getVersion")}get debugInfo(){return{pendingProtocolErrors:this.#connection.
getPendingProtocolErrors()}}isNetworkEnabled(){return this.#networkEnabled}async extensions(){let response=await this.#connection.
send("Extensions.getExtensions"),extensionsMap=new Map;for(let currExtension of response.extensions)if(this.#extensions.
has(currExtension.id))extensionsMap.set(currExtension.id,this.#extensions.get(currExtension.id));else{let newExtension=new CdpExtension(
currExtension.id,currExtension.version,currExtension.name,currExtension.path,currExtension.enabled,this);extensionsMap.
set(currExtension.id,newExtension)}return this.#extensions=extensionsMap,this.#extensions}isIssuesEnabled(){return this.#issuesEnabled}};async function _connectToCdpBrowser(connectionTransport,url,options){let{acceptInsecureCerts=!1,networkEnabled=!0,
issuesEnabled=!0,defaultViewport=DEFAULT_VIEWPORT,downloadBehavior,targetFilter,_isPageTarget:isPageTarget,slowMo=0,
protocolTimeout,handleDevToolsAsPage,idGenerator=createIncrementalIdGenerator(),blocklist,allowlist}=options,connection=new Connection(
url,connectionTransport,slowMo,protocolTimeout,!1,idGenerator),{browserContextIds}=await connection.send("Targ\
et.getBrowserContexts");return await CdpBrowser._create(connection,browserContextIds,acceptInsecureCerts,defaultViewport,
downloadBehavior,void 0,()=>connection.send("Browser.close").catch(debugError),targetFilter,isPageTarget,void 0,
networkEnabled,issuesEnabled,handleDevToolsAsPage,blocklist,allowlist)}var PredefinedNetworkConditions=Object.freeze({"Slow 3G":{download:5e4,upload:5e4,latency:2e3},"Fast 3G":{download:18e4,
upload:84375,latency:562.5},"Slow 4G":{download:18e4,upload:84375,latency:562.5},"Fast 4G":{download:1012500,upload:168750,
latency:165}});var knownDevices=[{name:"Blackberry PlayBook",userAgent:"Mozilla/5.0 (PlayBook; U; RIM Tablet OS 2.1.0; en-US)\
 AppleWebKit/536.2+ (KHTML like Gecko) Version/7.2.1.0 Safari/536.2+",viewport:{width:600,height:1024,deviceScaleFactor:1,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Blackberry PlayBook landscape",userAgent:"Mozilla/5.0 (PlayBoo\
k; U; RIM Tablet OS 2.1.0; en-US) AppleWebKit/536.2+ (KHTML like Gecko) Version/7.2.1.0 Safari/536.2+",viewport:{
width:1024,height:600,deviceScaleFactor:1,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"BlackBerry Z30",userAgent:"\
Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+",viewport:{
width:360,height:640,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"BlackBerry Z30 landsc\
ape",userAgent:"Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile S\
afari/537.10+",viewport:{width:640,height:360,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"\
Galaxy Note 3",userAgent:"Mozilla/5.0 (Linux; U; Android 4.3; en-us; SM-N900T Build/JSS15J) AppleWebKit/534.30\
 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",viewport:{width:360,height:640,deviceScaleFactor:3,isMobile:!0,
hasTouch:!0,isLandscape:!1}},{name:"Galaxy Note 3 landscape",userAgent:"Mozilla/5.0 (Linux; U; Android 4.3; en\
-us; SM-N900T Build/JSS15J) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",viewport:{
width:640,height:360,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Galaxy Note II",userAgent:"\
Mozilla/5.0 (Linux; U; Android 4.1; en-us; GT-N7100 Build/JRO03C) AppleWebKit/534.30 (KHTML, like Gecko) Versi\
on/4.0 Mobile Safari/534.30",viewport:{width:360,height:640,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Galaxy Note II landscape",userAgent:"Mozilla/5.0 (Linux; U; Android 4.1; en-us; GT-N7100 Build/JRO03C) \
AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",viewport:{width:640,height:360,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Galaxy S III",userAgent:"Mozilla/5.0 (Linux; U; Android 4.0; e\
n-us; GT-I9300 Build/IMM76D) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",viewport:{
width:360,height:640,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Galaxy S III landscap\
e",userAgent:"Mozilla/5.0 (Linux; U; Android 4.0; en-us; GT-I9300 Build/IMM76D) AppleWebKit/534.30 (KHTML, lik\
e Gecko) Version/4.0 Mobile Safari/534.30",viewport:{width:640,height:360,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"Galaxy S5",userAgent:"Mozilla/5.0 (Linux; Android 5.0; SM-G900P Build/LRX21T) AppleWeb\
Kit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:360,height:640,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Galaxy S5 landscape",userAgent:"Mozilla/5.0 (Linux; Android 5.\
0; SM-G900P Build/LRX21T) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{
width:640,height:360,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Galaxy S8",userAgent:"\
Mozilla/5.0 (Linux; Android 7.0; SM-G950U Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/62.0.320\
2.84 Mobile Safari/537.36",viewport:{width:360,height:740,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Galaxy S8 landscape",userAgent:"Mozilla/5.0 (Linux; Android 7.0; SM-G950U Build/NRD90M) AppleWebKit/537\
.36 (KHTML, like Gecko) Chrome/62.0.3202.84 Mobile Safari/537.36",viewport:{width:740,height:360,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Galaxy S9+",userAgent:"Mozilla/5.0 (Linux; Android 8.0.0; SM-G\
965U Build/R16NW) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/63.0.3239.111 Mobile Safari/537.36",viewport:{
width:320,height:658,deviceScaleFactor:4.5,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Galaxy S9+ landscap\
e",userAgent:"Mozilla/5.0 (Linux; Android 8.0.0; SM-G965U Build/R16NW) AppleWebKit/537.36 (KHTML, like Gecko) \
Chrome/63.0.3239.111 Mobile Safari/537.36",viewport:{width:658,height:320,deviceScaleFactor:4.5,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"Galaxy Tab S4",userAgent:"Mozilla/5.0 (Linux; Android 8.1.0; SM-T837A) AppleWebKit/537\
.36 (KHTML, like Gecko) Chrome/70.0.3538.80 Safari/537.36",viewport:{width:712,height:1138,deviceScaleFactor:2.25,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Galaxy Tab S4 landscape",userAgent:"Mozilla/5.0 (Linux; Androi\
d 8.1.0; SM-T837A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.80 Safari/537.36",viewport:{width:1138,
height:712,deviceScaleFactor:2.25,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPad",userAgent:"Mozilla/5.0\
 (iPad; CPU OS 11_0 like Mac OS X) AppleWebKit/604.1.34 (KHTML, like Gecko) Version/11.0 Mobile/15A5341f Safar\
i/604.1",viewport:{width:768,height:1024,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"i\
Pad landscape",userAgent:"Mozilla/5.0 (iPad; CPU OS 11_0 like Mac OS X) AppleWebKit/604.1.34 (KHTML, like Geck\
o) Version/11.0 Mobile/15A5341f Safari/604.1",viewport:{width:1024,height:768,deviceScaleFactor:2,isMobile:!0,
hasTouch:!0,isLandscape:!0}},{name:"iPad (gen 6)",userAgent:"Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) App\
leWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:768,height:1024,
deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPad (gen 6) landscape",userAgent:"Mozilla\
/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Saf\
ari/604.1",viewport:{width:1024,height:768,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"\
iPad (gen 7)",userAgent:"Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko\
) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:810,height:1080,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"iPad (gen 7) landscape",userAgent:"Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) Apple\
WebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:1080,height:810,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPad Mini",userAgent:"Mozilla/5.0 (iPad; CPU OS 11_0 like Mac \
OS X) AppleWebKit/604.1.34 (KHTML, like Gecko) Version/11.0 Mobile/15A5341f Safari/604.1",viewport:{width:768,
height:1024,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPad Mini landscape",userAgent:"\
Mozilla/5.0 (iPad; CPU OS 11_0 like Mac OS X) AppleWebKit/604.1.34 (KHTML, like Gecko) Version/11.0 Mobile/15A\
5341f Safari/604.1",viewport:{width:1024,height:768,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPad Pro",userAgent:"Mozilla/5.0 (iPad; CPU OS 11_0 like Mac OS X) AppleWebKit/604.1.34 (KHTML, like Ge\
cko) Version/11.0 Mobile/15A5341f Safari/604.1",viewport:{width:1024,height:1366,deviceScaleFactor:2,isMobile:!0,
hasTouch:!0,isLandscape:!1}},{name:"iPad Pro landscape",userAgent:"Mozilla/5.0 (iPad; CPU OS 11_0 like Mac OS \
X) AppleWebKit/604.1.34 (KHTML, like Gecko) Version/11.0 Mobile/15A5341f Safari/604.1",viewport:{width:1366,height:1024,
deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPad Pro 11",userAgent:"Mozilla/5.0 (iPad;\
 CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",
viewport:{width:834,height:1194,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPad Pro 1\
1 landscape",userAgent:"Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)\
 Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:1194,height:834,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 4",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 7_1_2 like Mac OS X) AppleWebK\
it/537.51.2 (KHTML, like Gecko) Version/7.0 Mobile/11D257 Safari/9537.53",viewport:{width:320,height:480,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 4 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone\
 OS 7_1_2 like Mac OS X) AppleWebKit/537.51.2 (KHTML, like Gecko) Version/7.0 Mobile/11D257 Safari/9537.53",viewport:{
width:480,height:320,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 5",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_1 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/10.0\
 Mobile/14E304 Safari/602.1",viewport:{width:320,height:568,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone 5 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_1 like Mac OS X) AppleWebKit/603\
.1.30 (KHTML, like Gecko) Version/10.0 Mobile/14E304 Safari/602.1",viewport:{width:568,height:320,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 6",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 l\
ike Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:375,
height:667,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 6 landscape",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 M\
obile/15A372 Safari/604.1",viewport:{width:667,height:375,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPhone 6 Plus",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (\
KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:414,height:736,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 6 Plus landscape",userAgent:"Mozilla/5.0 (iPhone; CPU i\
Phone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",
viewport:{width:736,height:414,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 7",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 M\
obile/15A372 Safari/604.1",viewport:{width:375,height:667,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone 7 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1\
.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:667,height:375,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 7 Plus",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 1\
1_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{
width:414,height:736,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 7 Plus landsca\
pe",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko)\
 Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:736,height:414,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 8",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKi\
t/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:375,height:667,deviceScaleFactor:2,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 8 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone\
 OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{
width:667,height:375,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 8 Plus",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 M\
obile/15A372 Safari/604.1",viewport:{width:414,height:736,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone 8 Plus landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/\
604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:736,height:414,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone SE",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_\
1 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/10.0 Mobile/14E304 Safari/602.1",viewport:{width:320,
height:568,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone SE landscape",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_1 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/10.0\
 Mobile/14E304 Safari/602.1",viewport:{width:568,height:320,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPhone X",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/604.1.38 (KHTML\
, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:375,height:812,deviceScaleFactor:3,isMobile:!0,
hasTouch:!0,isLandscape:!1}},{name:"iPhone X landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 lik\
e Mac OS X) AppleWebKit/604.1.38 (KHTML, like Gecko) Version/11.0 Mobile/15A372 Safari/604.1",viewport:{width:812,
height:375,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone XR",userAgent:"Mozilla/5\
.0 (iPhone; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E\
148 Safari/604.1",viewport:{width:414,height:896,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone XR landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.\
1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1",viewport:{width:896,height:414,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 11",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 \
like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Mobile/15E148 Safari/604.1",viewport:{width:414,
height:828,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 11 landscape",userAgent:"\
Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 M\
obile/15E148 Safari/604.1",viewport:{width:828,height:414,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPhone 11 Pro",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (\
KHTML, like Gecko) Version/13.1 Mobile/15E148 Safari/604.1",viewport:{width:375,height:812,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 11 Pro landscape",userAgent:"Mozilla/5.0 (iPhone; CPU i\
Phone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Mobile/15E148 Safari/604.1",
viewport:{width:812,height:375,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 11 P\
ro Max",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Ge\
cko) Version/13.1 Mobile/15E148 Safari/604.1",viewport:{width:414,height:896,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"iPhone 11 Pro Max landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like M\
ac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Mobile/15E148 Safari/604.1",viewport:{width:896,
height:414,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 12",userAgent:"Mozilla/5\
.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E\
148 Safari/604.1",viewport:{width:390,height:844,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone 12 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.\
1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:844,height:390,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 12 Pro",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 1\
4_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{
width:390,height:844,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 12 Pro landsca\
pe",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)\
 Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:844,height:390,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 12 Pro Max",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) A\
ppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:428,height:926,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 12 Pro Max landscape",userAgent:"Mo\
zilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mob\
ile/15E148 Safari/604.1",viewport:{width:926,height:428,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPhone 12 Mini",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 \
(KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:375,height:812,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 12 Mini landscape",userAgent:"Mozilla/5.0 (iPhone; CPU \
iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",
viewport:{width:812,height:375,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 13",
userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Ver\
sion/15.4 Mobile/15E148 Safari/604.1",viewport:{width:390,height:844,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"iPhone 13 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X)\
 AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:844,height:390,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 13 Pro",userAgent:"Mozilla/5.0 (iPh\
one; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Saf\
ari/604.1",viewport:{width:390,height:844,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"\
iPhone 13 Pro landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.1\
5 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:844,height:390,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 13 Pro Max",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone \
OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{
width:428,height:926,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 13 Pro Max lan\
dscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Ge\
cko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:926,height:428,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 13 Mini",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) Appl\
eWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",viewport:{width:375,height:812,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 13 Mini landscape",userAgent:"Mozilla/5.0 (iPhone; CPU \
iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1",
viewport:{width:812,height:375,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 14",
userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Ver\
sion/16.6 Mobile/15E148 Safari/604.1",viewport:{width:390,height:663,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"iPhone 14 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X)\
 AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",viewport:{width:750,height:340,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 14 Plus",userAgent:"Mozilla/5.0 (iP\
hone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Sa\
fari/604.1",viewport:{width:428,height:745,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"\
iPhone 14 Plus landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.\
15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",viewport:{width:832,height:378,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 14 Pro",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 1\
6_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",viewport:{
width:393,height:659,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 14 Pro landsca\
pe",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)\
 Version/16.6 Mobile/15E148 Safari/604.1",viewport:{width:734,height:343,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 14 Pro Max",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) A\
ppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",viewport:{width:430,height:739,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 14 Pro Max landscape",userAgent:"Mo\
zilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mob\
ile/15E148 Safari/604.1",viewport:{width:814,height:380,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"iPhone 15",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTM\
L, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",viewport:{width:393,height:659,deviceScaleFactor:3,isMobile:!0,
hasTouch:!0,isLandscape:!1}},{name:"iPhone 15 landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 li\
ke Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",viewport:{width:734,
height:343,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 15 Plus",userAgent:"Mozi\
lla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobil\
e/15E148 Safari/604.1",viewport:{width:430,height:739,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"iPhone 15 Plus landscape",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit\
/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",viewport:{width:814,height:380,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"iPhone 15 Pro",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 1\
7_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",viewport:{
width:393,height:659,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 15 Pro landsca\
pe",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)\
 Version/17.5 Mobile/15E148 Safari/604.1",viewport:{width:734,height:343,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"iPhone 15 Pro Max",userAgent:"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) A\
ppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",viewport:{width:430,height:739,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"iPhone 15 Pro Max landscape",userAgent:"Mo\
zilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mob\
ile/15E148 Safari/604.1",viewport:{width:814,height:380,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"JioPhone 2",userAgent:"Mozilla/5.0 (Mobile; LYF/F300B/LYF-F300B-001-01-15-130718-i;Android; rv:48.0) Ge\
cko/48.0 Firefox/48.0 KAIOS/2.5",viewport:{width:240,height:320,deviceScaleFactor:1,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"JioPhone 2 landscape",userAgent:"Mozilla/5.0 (Mobile; LYF/F300B/LYF-F300B-001-01-15-130718-i;Android; r\
v:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",viewport:{width:320,height:240,deviceScaleFactor:1,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"Kindle Fire HDX",userAgent:"Mozilla/5.0 (Linux; U; en-us; KFAPWI Build/JDQ39) AppleWeb\
Kit/535.19 (KHTML, like Gecko) Silk/3.13 Safari/535.19 Silk-Accelerated=true",viewport:{width:800,height:1280,
deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Kindle Fire HDX landscape",userAgent:"Mozi\
lla/5.0 (Linux; U; en-us; KFAPWI Build/JDQ39) AppleWebKit/535.19 (KHTML, like Gecko) Silk/3.13 Safari/535.19 S\
ilk-Accelerated=true",viewport:{width:1280,height:800,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"LG Optimus L70",userAgent:"Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; LGMS323 Build/KOT49I.MS32310c) \
AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:384,
height:640,deviceScaleFactor:1.25,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"LG Optimus L70 landscape",userAgent:"\
Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; LGMS323 Build/KOT49I.MS32310c) AppleWebKit/537.36 (KHTML, like Ge\
cko) Version/4.0 Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:640,height:384,deviceScaleFactor:1.25,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Microsoft Lumia 550",userAgent:"Mozilla/5.0 (Windows Phone 10.\
0; Android 4.2.1; Microsoft; Lumia 550) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/46.0.2486.0 Mobile Safar\
i/537.36 Edge/14.14263",viewport:{width:640,height:360,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Microsoft Lumia 950",userAgent:"Mozilla/5.0 (Windows Phone 10.0; Android 4.2.1; Microsoft; Lumia 950) A\
ppleWebKit/537.36 (KHTML, like Gecko) Chrome/46.0.2486.0 Mobile Safari/537.36 Edge/14.14263",viewport:{width:360,
height:640,deviceScaleFactor:4,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Microsoft Lumia 950 landscape",
userAgent:"Mozilla/5.0 (Windows Phone 10.0; Android 4.2.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, li\
ke Gecko) Chrome/46.0.2486.0 Mobile Safari/537.36 Edge/14.14263",viewport:{width:640,height:360,deviceScaleFactor:4,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Nexus 10",userAgent:"Mozilla/5.0 (Linux; Android 6.0.1; Nexus \
10 Build/MOB31T) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Safari/537.36",viewport:{width:800,
height:1280,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Nexus 10 landscape",userAgent:"\
Mozilla/5.0 (Linux; Android 6.0.1; Nexus 10 Build/MOB31T) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3\
765.0 Safari/537.36",viewport:{width:1280,height:800,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},
{name:"Nexus 4",userAgent:"Mozilla/5.0 (Linux; Android 4.4.2; Nexus 4 Build/KOT49H) AppleWebKit/537.36 (KHTML,\
 like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:384,height:640,deviceScaleFactor:2,isMobile:!0,
hasTouch:!0,isLandscape:!1}},{name:"Nexus 4 landscape",userAgent:"Mozilla/5.0 (Linux; Android 4.4.2; Nexus 4 B\
uild/KOT49H) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:640,
height:384,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Nexus 5",userAgent:"Mozilla/5.0\
 (Linux; Android 6.0; Nexus 5 Build/MRA58N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile S\
afari/537.36",viewport:{width:360,height:640,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"\
Nexus 5 landscape",userAgent:"Mozilla/5.0 (Linux; Android 6.0; Nexus 5 Build/MRA58N) AppleWebKit/537.36 (KHTML\
, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:640,height:360,deviceScaleFactor:3,isMobile:!0,
hasTouch:!0,isLandscape:!0}},{name:"Nexus 5X",userAgent:"Mozilla/5.0 (Linux; Android 8.0.0; Nexus 5X Build/OPR\
4.170623.006) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:412,
height:732,deviceScaleFactor:2.625,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Nexus 5X landscape",userAgent:"\
Mozilla/5.0 (Linux; Android 8.0.0; Nexus 5X Build/OPR4.170623.006) AppleWebKit/537.36 (KHTML, like Gecko) Chro\
me/75.0.3765.0 Mobile Safari/537.36",viewport:{width:732,height:412,deviceScaleFactor:2.625,isMobile:!0,hasTouch:!0,
isLandscape:!0}},{name:"Nexus 6",userAgent:"Mozilla/5.0 (Linux; Android 7.1.1; Nexus 6 Build/N6F26U) AppleWebK\
it/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:412,height:732,deviceScaleFactor:3.5,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Nexus 6 landscape",userAgent:"Mozilla/5.0 (Linux; Android 7.1.\
1; Nexus 6 Build/N6F26U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{
width:732,height:412,deviceScaleFactor:3.5,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Nexus 6P",userAgent:"\
Mozilla/5.0 (Linux; Android 8.0.0; Nexus 6P Build/OPP3.170518.006) AppleWebKit/537.36 (KHTML, like Gecko) Chro\
me/75.0.3765.0 Mobile Safari/537.36",viewport:{width:412,height:732,deviceScaleFactor:3.5,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"Nexus 6P landscape",userAgent:"Mozilla/5.0 (Linux; Android 8.0.0; Nexus 6P Build/OPP3.\
170518.006) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:732,
height:412,deviceScaleFactor:3.5,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Nexus 7",userAgent:"Mozilla/5\
.0 (Linux; Android 6.0.1; Nexus 7 Build/MOB30X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Safa\
ri/537.36",viewport:{width:600,height:960,deviceScaleFactor:2,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"\
Nexus 7 landscape",userAgent:"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 7 Build/MOB30X) AppleWebKit/537.36 (KHT\
ML, like Gecko) Chrome/75.0.3765.0 Safari/537.36",viewport:{width:960,height:600,deviceScaleFactor:2,isMobile:!0,
hasTouch:!0,isLandscape:!0}},{name:"Nokia Lumia 520",userAgent:"Mozilla/5.0 (compatible; MSIE 10.0; Windows Ph\
one 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch; NOKIA; Lumia 520)",viewport:{width:320,height:533,deviceScaleFactor:1.5,
isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Nokia Lumia 520 landscape",userAgent:"Mozilla/5.0 (compatible;\
 MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch; NOKIA; Lumia 520)",viewport:{width:533,
height:320,deviceScaleFactor:1.5,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Nokia N9",userAgent:"Mozilla/\
5.0 (MeeGo; NokiaN9) AppleWebKit/534.13 (KHTML, like Gecko) NokiaBrowser/8.5.0 Mobile Safari/534.13",viewport:{
width:480,height:854,deviceScaleFactor:1,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Nokia N9 landscape",userAgent:"\
Mozilla/5.0 (MeeGo; NokiaN9) AppleWebKit/534.13 (KHTML, like Gecko) NokiaBrowser/8.5.0 Mobile Safari/534.13",viewport:{
width:854,height:480,deviceScaleFactor:1,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 2",userAgent:"M\
ozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/7\
5.0.3765.0 Mobile Safari/537.36",viewport:{width:411,height:731,deviceScaleFactor:2.625,isMobile:!0,hasTouch:!0,
isLandscape:!1}},{name:"Pixel 2 landscape",userAgent:"Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.1708\
16.012) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:731,height:411,
deviceScaleFactor:2.625,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 2 XL",userAgent:"Mozilla/5.0 (Li\
nux; Android 8.0.0; Pixel 2 XL Build/OPD1.170816.004) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.\
0 Mobile Safari/537.36",viewport:{width:411,height:823,deviceScaleFactor:3.5,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Pixel 2 XL landscape",userAgent:"Mozilla/5.0 (Linux; Android 8.0.0; Pixel 2 XL Build/OPD1.170816.004) A\
ppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3765.0 Mobile Safari/537.36",viewport:{width:823,height:411,
deviceScaleFactor:3.5,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 3",userAgent:"Mozilla/5.0 (Linux; \
Android 9; Pixel 3 Build/PQ1A.181105.017.A1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/66.0.3359.158 Mobil\
e Safari/537.36",viewport:{width:393,height:786,deviceScaleFactor:2.75,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Pixel 3 landscape",userAgent:"Mozilla/5.0 (Linux; Android 9; Pixel 3 Build/PQ1A.181105.017.A1) AppleWeb\
Kit/537.36 (KHTML, like Gecko) Chrome/66.0.3359.158 Mobile Safari/537.36",viewport:{width:786,height:393,deviceScaleFactor:2.75,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 4",userAgent:"Mozilla/5.0 (Linux; Android 10; Pixel 4) A\
ppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36",viewport:{width:353,height:745,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Pixel 4 landscape",userAgent:"Mozilla/5.0 \
(Linux; Android 10; Pixel 4) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36",
viewport:{width:745,height:353,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 4a (5\
G)",userAgent:"Mozilla/5.0 (Linux; Android 11; Pixel 4a (5G)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99\
.0.4812.0 Mobile Safari/537.36",viewport:{width:353,height:745,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},
{name:"Pixel 4a (5G) landscape",userAgent:"Mozilla/5.0 (Linux; Android 11; Pixel 4a (5G)) AppleWebKit/537.36 (\
KHTML, like Gecko) Chrome/99.0.4812.0 Mobile Safari/537.36",viewport:{width:745,height:353,deviceScaleFactor:3,
isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Pixel 5",userAgent:"Mozilla/5.0 (Linux; Android 11; Pixel 5) A\
ppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4812.0 Mobile Safari/537.36",viewport:{width:393,height:851,
deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"Pixel 5 landscape",userAgent:"Mozilla/5.0 \
(Linux; Android 11; Pixel 5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4812.0 Mobile Safari/537.36",viewport:{
width:851,height:393,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!0}},{name:"Moto G4",userAgent:"M\
ozilla/5.0 (Linux; Android 7.0; Moto G (4)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4812.0 Mobile S\
afari/537.36",viewport:{width:360,height:640,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,isLandscape:!1}},{name:"\
Moto G4 landscape",userAgent:"Mozilla/5.0 (Linux; Android 7.0; Moto G (4)) AppleWebKit/537.36 (KHTML, like Gec\
ko) Chrome/99.0.4812.0 Mobile Safari/537.36",viewport:{width:640,height:360,deviceScaleFactor:3,isMobile:!0,hasTouch:!0,
isLandscape:!0}}],knownDevicesByName={};for(let device of knownDevices)knownDevicesByName[device.name]=device;
var KnownDevices=Object.freeze(knownDevicesByName);var getWebSocketTransportClass=async()=>isNode?(await Promise.resolve().then(()=>(init_NodeWebSocketTransport(),NodeWebSocketTransport_exports))).
NodeWebSocketTransport:(await Promise.resolve().then(()=>(init_BrowserWebSocketTransport(),BrowserWebSocketTransport_exports))).
BrowserWebSocketTransport;function assertSupportedUrlRestrictions(options){if(options.blocklist&&options.allowlist)
throw new Error("Cannot specify both blocklist and allowlist");if(options.protocol==="webDriverBiDi"&&(options.
blocklist||options.allowlist))throw new Error("blocklist and allowlist are only supported with the CDP protoco\
l")}async function _connectToBrowser(options){assertSupportedUrlRestrictions(options);let{connectionTransport,
endpointUrl}=await getConnectionTransport(options);return options.protocol==="webDriverBiDi"?await null(connectionTransport,
endpointUrl,options):await _connectToCdpBrowser(connectionTransport,endpointUrl,options)}async function getConnectionTransport(options){
let{browserWSEndpoint,browserURL,channel,transport,headers={}}=options;if(assert(+!!browserWSEndpoint+ +!!browserURL+
+!!transport+ +!!channel==1,"Exactly one of browserWSEndpoint, browserURL, transport or channel must be passed\
 to puppeteer.connect"),transport)return{connectionTransport:transport,endpointUrl:""};if(browserWSEndpoint)return{
connectionTransport:await(await getWebSocketTransportClass()).create(browserWSEndpoint,headers),endpointUrl:browserWSEndpoint};
if(browserURL){let connectionURL=await getWSEndpoint(browserURL);return{connectionTransport:await(await getWebSocketTransportClass()).
create(connectionURL),endpointUrl:connectionURL}}else if(options.channel&&isNode){let{detectBrowserPlatform,resolveDefaultUserDataDir,
Browser:Browser2}=await Promise.resolve().then(()=>(init_browsers(),browsers_exports)),platform=detectBrowserPlatform();
if(!platform)throw new Error("Could not detect required browser platform");let{convertPuppeteerChannelToBrowsersChannel}=await Promise.resolve().then(()=>(init_LaunchOptions(),LaunchOptions_exports)),
{join}=await import("node:path"),userDataDir=resolveDefaultUserDataDir(Browser2.CHROME,platform,convertPuppeteerChannelToBrowsersChannel(
options.channel)),portPath=join(userDataDir,"DevToolsActivePort");try{let fileContent=await environment.value.
fs.promises.readFile(portPath,"ascii"),[rawPort,rawPath]=fileContent.split(`
`).map(line=>line.trim()).filter(line=>!!line);if(!rawPort||!rawPath)throw new Error(`Invalid DevToolsActivePo\
rt '${fileContent}' found`);let port=parseInt(rawPort,10);if(isNaN(port)||port<=0||port>65535)throw new Error(
`Invalid port '${rawPort}' found`);let browserWSEndpoint2=`ws://localhost:${port}${rawPath}`;return{connectionTransport:await(await getWebSocketTransportClass()).
create(browserWSEndpoint2,headers),endpointUrl:browserWSEndpoint2}}catch(error){throw new Error(`Could not fin\
d DevToolsActivePort for ${options.channel} at ${portPath}`,{cause:error})}}throw new Error("Invalid connectio\
n options")}async function getWSEndpoint(browserURL){let endpointURL=new URL("/json/version",browserURL);try{let result=await globalThis.
fetch(endpointURL.toString(),{method:"GET"});if(!result.ok)throw new Error(`HTTP ${result.statusText}`);return(await result.
json()).webSocketDebuggerUrl}catch(error){throw isErrorLike(error)&&(error.message=`Failed to fetch browser we\
bSocket URL from ${endpointURL}: `+error.message),error}}var Puppeteer=class{static customQueryHandlers=customQueryHandlers;static registerCustomQueryHandler(name,queryHandler){
return this.customQueryHandlers.register(name,queryHandler)}static unregisterCustomQueryHandler(name){return this.
customQueryHandlers.unregister(name)}static customQueryHandlerNames(){return this.customQueryHandlers.names()}static clearCustomQueryHandlers(){
return this.customQueryHandlers.clear()}_isPuppeteerCore;_changedBrowsers=!1;constructor(settings){this._isPuppeteerCore=
settings.isPuppeteerCore,this.connect=this.connect.bind(this)}connect(options){return _connectToBrowser(options)}};var PUPPETEER_REVISIONS=Object.freeze({chrome:"148.0.7778.97","chrome-headless-shell":"148.0.7778.97",firefox:"\
stable_150.0.2"});var puppeteer=new Puppeteer({isPuppeteerCore:!0}),{connect}=puppeteer;export{connect};
/*
puppeteer-core 24.43.1, copyright Google Inc., and RxJS, copyright Google Inc., Netflix Inc., Microsoft Corp. and
contributors, are under the Apache License 2.0:

Apache License
                         Version 2.0, January 2004
                      www.apache.org/licenses/

 TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION

 1. Definitions.

    "License" shall mean the terms and conditions for use, reproduction,
    and distribution as defined by Sections 1 through 9 of this document.

    "Licensor" shall mean the copyright owner or entity authorized by
    the copyright owner that is granting the License.

    "Legal Entity" shall mean the union of the acting entity and all
    other entities that control, are controlled by, or are under common
    control with that entity. For the purposes of this definition,
    "control" means (i) the power, direct or indirect, to cause the
    direction or management of such entity, whether by contract or
    otherwise, or (ii) ownership of fifty percent (50%) or more of the
    outstanding shares, or (iii) beneficial ownership of such entity.

    "You" (or "Your") shall mean an individual or Legal Entity
    exercising permissions granted by this License.

    "Source" form shall mean the preferred form for making modifications,
    including but not limited to software source code, documentation
    source, and configuration files.

    "Object" form shall mean any form resulting from mechanical
    transformation or translation of a Source form, including but
    not limited to compiled object code, generated documentation,
    and conversions to other media types.

    "Work" shall mean the work of authorship, whether in Source or
    Object form, made available under the License, as indicated by a
    copyright notice that is included in or attached to the work
    (an example is provided in the Appendix below).

    "Derivative Works" shall mean any work, whether in Source or Object
    form, that is based on (or derived from) the Work and for which the
    editorial revisions, annotations, elaborations, or other modifications
    represent, as a whole, an original work of authorship. For the purposes
    of this License, Derivative Works shall not include works that remain
    separable from, or merely link (or bind by name) to the interfaces of,
    the Work and Derivative Works thereof.

    "Contribution" shall mean any work of authorship, including
    the original version of the Work and any modifications or additions
    to that Work or Derivative Works thereof, that is intentionally
    submitted to Licensor for inclusion in the Work by the copyright owner
    or by an individual or Legal Entity authorized to submit on behalf of
    the copyright owner. For the purposes of this definition, "submitted"
    means any form of electronic, verbal, or written communication sent
    to the Licensor or its representatives, including but not limited to
    communication on electronic mailing lists, source code control systems,
    and issue tracking systems that are managed by, or on behalf of, the
    Licensor for the purpose of discussing and improving the Work, but
    excluding communication that is conspicuously marked or otherwise
    designated in writing by the copyright owner as "Not a Contribution."

    "Contributor" shall mean Licensor and any individual or Legal Entity
    on behalf of whom a Contribution has been received by Licensor and
    subsequently incorporated within the Work.

 2. Grant of Copyright License. Subject to the terms and conditions of
    this License, each Contributor hereby grants to You a perpetual,
    worldwide, non-exclusive, no-charge, royalty-free, irrevocable
    copyright license to reproduce, prepare Derivative Works of,
    publicly display, publicly perform, sublicense, and distribute the
    Work and such Derivative Works in Source or Object form.

 3. Grant of Patent License. Subject to the terms and conditions of
    this License, each Contributor hereby grants to You a perpetual,
    worldwide, non-exclusive, no-charge, royalty-free, irrevocable
    (except as stated in this section) patent license to make, have made,
    use, offer to sell, sell, import, and otherwise transfer the Work,
    where such license applies only to those patent claims licensable
    by such Contributor that are necessarily infringed by their
    Contribution(s) alone or by combination of their Contribution(s)
    with the Work to which such Contribution(s) was submitted. If You
    institute patent litigation against any entity (including a
    cross-claim or counterclaim in a lawsuit) alleging that the Work
    or a Contribution incorporated within the Work constitutes direct
    or contributory patent infringement, then any patent licenses
    granted to You under this License for that Work shall terminate
    as of the date such litigation is filed.

 4. Redistribution. You may reproduce and distribute copies of the
    Work or Derivative Works thereof in any medium, with or without
    modifications, and in Source or Object form, provided that You
    meet the following conditions:

    (a) You must give any other recipients of the Work or
        Derivative Works a copy of this License; and

    (b) You must cause any modified files to carry prominent notices
        stating that You changed the files; and

    (c) You must retain, in the Source form of any Derivative Works
        that You distribute, all copyright, patent, trademark, and
        attribution notices from the Source form of the Work,
        excluding those notices that do not pertain to any part of
        the Derivative Works; and

    (d) If the Work includes a "NOTICE" text file as part of its
        distribution, then any Derivative Works that You distribute must
        include a readable copy of the attribution notices contained
        within such NOTICE file, excluding those notices that do not
        pertain to any part of the Derivative Works, in at least one
        of the following places: within a NOTICE text file distributed
        as part of the Derivative Works; within the Source form or
        documentation, if provided along with the Derivative Works; or,
        within a display generated by the Derivative Works, if and
        wherever such third-party notices normally appear. The contents
        of the NOTICE file are for informational purposes only and
        do not modify the License. You may add Your own attribution
        notices within Derivative Works that You distribute, alongside
        or as an addendum to the NOTICE text from the Work, provided
        that such additional attribution notices cannot be construed
        as modifying the License.

    You may add Your own copyright statement to Your modifications and
    may provide additional or different license terms and conditions
    for use, reproduction, or distribution of Your modifications, or
    for any such Derivative Works as a whole, provided Your use,
    reproduction, and distribution of the Work otherwise complies with
    the conditions stated in this License.

 5. Submission of Contributions. Unless You explicitly state otherwise,
    any Contribution intentionally submitted for inclusion in the Work
    by You to the Licensor shall be under the terms and conditions of
    this License, without any additional terms or conditions.
    Notwithstanding the above, nothing herein shall supersede or modify
    the terms of any separate license agreement you may have executed
    with Licensor regarding such Contributions.

 6. Trademarks. This License does not grant permission to use the trade
    names, trademarks, service marks, or product names of the Licensor,
    except as required for reasonable and customary use in describing the
    origin of the Work and reproducing the content of the NOTICE file.

 7. Disclaimer of Warranty. Unless required by applicable law or
    agreed to in writing, Licensor provides the Work (and each
    Contributor provides its Contributions) on an "AS IS" BASIS,
    WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
    implied, including, without limitation, any warranties or conditions
    of TITLE, NON-INFRINGEMENT, MERCHANTABILITY, or FITNESS FOR A
    PARTICULAR PURPOSE. You are solely responsible for determining the
    appropriateness of using or redistributing the Work and assume any
    risks associated with Your exercise of permissions under this License.

 8. Limitation of Liability. In no event and under no legal theory,
    whether in tort (including negligence), contract, or otherwise,
    unless required by applicable law (such as deliberate and grossly
    negligent acts) or agreed to in writing, shall any Contributor be
    liable to You for damages, including any direct, indirect, special,
    incidental, or consequential damages of any character arising as a
    result of this License or out of the use or inability to use the
    Work (including but not limited to damages for loss of goodwill,
    work stoppage, computer failure or malfunction, or any and all
    other commercial damages or losses), even if such Contributor
    has been advised of the possibility of such damages.

 9. Accepting Warranty or Additional Liability. While redistributing
    the Work or Derivative Works thereof, You may choose to offer,
    and charge a fee for, acceptance of support, warranty, indemnity,
    or other liability obligations and/or rights consistent with this
    License. However, in accepting such obligations, You may act only
    on Your own behalf and on Your sole responsibility, not on behalf
    of any other Contributor, and only if You agree to indemnify,
    defend, and hold each Contributor harmless for any liability
    incurred by, or claims asserted against, such Contributor by reason
    of your accepting any such warranty or additional liability.

 END OF TERMS AND CONDITIONS

 APPENDIX: How to apply the Apache License to your work.

    To apply the Apache License to your work, attach the following
    boilerplate notice, with the fields enclosed by brackets "[]"
    replaced with your own identifying information. (Don't include
    the brackets!)  The text should be enclosed in the appropriate
    comment syntax for the file format. We also recommend that a
    file or class name and description of purpose be included on the
    same "printed page" as the copyright notice for easier
    identification within third-party archives.

 Copyright (c) 2015-2018 Google, Inc., Netflix, Inc., Microsoft Corp. and contributors

 Licensed under the Apache License, Version 2.0 (the "License");
 you may not use this file except in compliance with the License.
 You may obtain a copy of the License at

     www.apache.org/licenses/LICENSE-2.0

 Unless required by applicable law or agreed to in writing, software
 distributed under the License is distributed on an "AS IS" BASIS,
 WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 See the License for the specific language governing permissions and
 limitations under the License.

----------------------------------------------------------------

mitt

MIT License

Copyright (c) 2021 Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

----------------------------------------------------------------

parsel-js

MIT License

Copyright (c) 2020 Lea Verou

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

----------------------------------------------------------------

urlpattern-polyfill

Copyright 2020 Intel Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
